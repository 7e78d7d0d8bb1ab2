import type { RejectedRequestDryRun } from '../../contract/diagnostics/rejected-request.ts';
import { findBrowserSettings } from '../../db/browser/browser-settings.ts';
import { type FormRecord, findForm } from '../../db/forms/forms.ts';
import { findToken } from '../../db/forms/tokens.ts';
import { postgresHeldDecisions } from '../../db/held/held-decision-database.ts';
import type { WholeHeld } from '../../db/held/held-list.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { formFormatOf } from '../../domain/browser/form-format.ts';
import type { RecordedRequest } from '../../domain/held/held-request.ts';
import { isJsonContentType } from '../../domain/lead/content-type.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import { describeReason, type RejectionReason } from '../../domain/rejection.ts';
import { Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { openHeld } from '../held/open-held.ts';
import { provenBy, validSecrets } from '../held/re-verification.ts';
import { scoreHeld } from '../held/score-held.ts';
import { findTwins } from '../held/twins.ts';

/**
 * What would become of the bytes of a held request if its sender sent them now, with a new signature: the checks in the order of
 * the ingest plane, then the score. Reads only.
 */
export async function dryRunRejected(
  deps: ManagementDeps,
  workspaceId: string,
  held: WholeHeld,
): Promise<RejectedRequestDryRun> {
  const request = openHeld(deps.secretBox, { ...held, workspaceId });
  if (request === null || request === 'unreadable' || request.body === null)
    throw new Problem('request_not_kept', 'Its content cannot be read: the service does not have the key.');
  const { body } = request;
  const form = await findForm(deps.pool, workspaceId, held.formId);
  const reason = (await senderReason(deps, workspaceId, form, held, request)) ?? headerReason(held, request);
  if (reason !== null) return rejected(reason);
  const { keyed } = await findTwins(deps, workspaceId, [held]);
  const submissionId = keyed.get(held.id);
  if (submissionId !== undefined) return duplicate(submissionId);
  const database = postgresHeldDecisions(deps.pool);
  const opened = { ...held, receivedAt: new Date(deps.clock.now()), body, contentType: request.contentType };
  const scored = (await scoreHeld({ ...deps, database }, workspaceId, [opened])).get(held.id);
  if (scored === undefined) {
    // The thread has parsed it already, and only a body that is no lead is parsed again here.
    const lead = parseLead(body);
    return rejected(typeof lead === 'string' ? lead : 'form_unknown');
  }
  const { score, grade, verdict } = scored.score;
  return {
    ...nothing,
    outcome: 'accepted',
    text: `It would be accepted now, with a score of ${score} and the verdict ${verdict}.`,
    score,
    grade,
    verdict,
  };
}

const nothing = { reason: null, score: null, grade: null, verdict: null, submission_id: null } as const;

function rejected(reason: RejectionReason): RejectedRequestDryRun {
  const { text } = describeReason(reason);
  return { ...nothing, outcome: 'rejected', reason, text: `It would be rejected now: ${text}` };
}

function duplicate(submissionId: string): RejectedRequestDryRun {
  const text =
    'It would get the response of the lead that has its idempotency key, and nothing would be stored.';
  return { ...nothing, outcome: 'duplicate', text, submission_id: submissionId };
}

/** Token, form, workspace, page and signature. */
async function senderReason(
  deps: ManagementDeps,
  workspaceId: string,
  form: FormRecord | null,
  { surface, tokenId, formId }: WholeHeld,
  request: RecordedRequest,
): Promise<RejectionReason | null> {
  const { pool, clock } = deps;
  const now = new Date(clock.now());
  if (surface === 'server') {
    const token = tokenId === null ? null : await findToken(pool, workspaceId, tokenId);
    if (token === null) return 'token_unknown';
    const hasExpired = token.expiresAt !== null && token.expiresAt <= now;
    if (token.revokedAt !== null || hasExpired) return 'token_revoked';
  }
  if (form === null) return 'form_unknown';
  const workspace = await findWorkspace(pool, workspaceId);
  if (workspace?.status !== 'active') return 'workspace_suspended';
  if (!form.active) return 'form_inactive';
  if (surface === 'browser') {
    const browser = await findBrowserSettings(pool, workspaceId, formId);
    return browser?.enabled === true ? null : 'browser_disabled';
  }
  if (surface !== 'webhook') return null;
  const secrets = await validSecrets(deps, workspaceId, formId, now);
  if (secrets.length === 0) return 'secret_not_configured';
  return provenBy(secrets, request) === null ? 'signature_mismatch' : null;
}

/** Content type and idempotency key. */
function headerReason(
  { surface, reason }: WholeHeld,
  { contentType }: RecordedRequest,
): RejectionReason | null {
  // Of a form without script, the body is kept as JSON.
  const isForm = surface === 'browser' && formFormatOf(contentType ?? '') !== null;
  if (!isForm && !isJsonContentType(contentType)) return 'content_type_unsupported';
  // What is wrong with the key does not change when it is sent again.
  return reason === 'idempotency_key_malformed' ? reason : null;
}
