import { hash } from 'node:crypto';
import { fingerprintOf, noScriptKeyHash } from '../../../domain/browser/submission-key.ts';
import type { RejectionReason } from '../../../domain/rejection.ts';
import type { Directory, WorkspaceEntry } from '../../directory/directory.ts';
import { type Received, withBody } from '../../receive.ts';
import { ProvenRejection, Rejection, type RejectionDetail } from '../../rejection.ts';
import { jsonOfForm } from './form-body.ts';
import type { NoScriptLimits } from './no-script-limits.ts';
import { checkOpen, checkOrigin, type PageProof } from './page.ts';
import type { NoScriptClaim, PageClaim } from './page-claim.ts';
import { hasHeadlessBrand } from './page-headers.ts';

const formUnknown = new Rejection('form_unknown');

/**
 * A form that a browser sends without script has no token. What is left is the origin, limits, and points of the scorer. A
 * second click is the same lead: its content is compared as JSON, because browsers choose a new boundary each time.
 */
export function proveNoScript(
  received: Received,
  { network }: NoScriptClaim,
  claim: PageClaim,
  directory: Directory,
  limits: NoScriptLimits,
): PageProof | Rejection {
  const { form, rejection, headers } = claim;
  const { at, headers: sent } = received.arrival;
  if (rejection !== null || form === null) return rejection ?? formUnknown;
  const closed = checkOpen(form, directory);
  const foreign = checkOrigin(headers.origin, null, form, at);
  if (foreign !== null) return closed ?? foreign;
  const json = jsonOfForm(sent.contentType, received.body);
  const read = typeof json === 'string' ? received : withBody(received, json);
  const bodyHash = hash('sha256', read.body, 'buffer');
  const keyHash = noScriptKeyHash(form.idBytes, network, bodyHash);
  const reject = (reason: RejectionReason, detail: RejectionDetail = {}) =>
    new ProvenRejection(reason, detail, { form, token: null, signature: null, body: read.body, keyHash });
  if (closed !== null) return reject(closed.reason, closed.detail);
  if (typeof json === 'string') return reject(json);
  if (!limits.take(form, network, at)) return reject('mint_limited', { no_script: true });
  return {
    received: read,
    workspace: directory.workspace(form.workspaceId) as WorkspaceEntry,
    form,
    page: {
      key: { hash: keyHash, bodyHash: fingerprintOf(bodyHash) },
      signals: { isUnproven: true, isWorkFast: false, isHeadless: hasHeadlessBrand(headers) },
    },
  };
}
