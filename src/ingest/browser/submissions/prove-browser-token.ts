import { hash } from 'node:crypto';
import { fingerprintOf, tokenKeyHash } from '../../../domain/browser/submission-key.ts';
import { expiredTokenMsMax } from '../../../domain/held/held-bounds.ts';
import { secondMs } from '../../../time/clock.ts';
import type { Directory, FormEntry, WorkspaceEntry } from '../../directory/directory.ts';
import type { Received } from '../../receive.ts';
import { type Proof, ProvenRejection, Rejection } from '../../rejection.ts';
import { checkOpen, checkOrigin, type PageProof, PageRejectionUnlessRepeat } from './page.ts';
import type { PageClaim, SignedClaims } from './page-claim.ts';
import { hasHeadlessBrand } from './page-headers.ts';

/** How far ahead the clock of a backend that signs tokens may be. */
const aheadSecondsMax = 60;

const tokenUnknown = new Rejection('token_unknown');
const browserDisabled = new Rejection('browser_disabled');
const tokenRevoked = new Rejection('token_revoked');
const secretEnded = new Rejection('token_revoked', { mint_secret_ended: true });
const bodyMismatch = new Rejection('token_body_mismatch');

/** Whether a request was really sent with this token from a page of this form. All of them must be null for that. */
interface Checks {
  readonly open: Rejection | null;
  readonly enabled: Rejection | null;
  readonly epoch: Rejection | null;
  readonly origin: Rejection | null;
  readonly expiry: Rejection | null;
  readonly body: Rejection | null;
}

/** The token's signature was checked when the request arrived. */
export function proveBrowserToken(
  received: Received,
  claim: PageClaim,
  directory: Directory,
): PageProof | Rejection {
  const { token, form, rejection } = claim;
  if (rejection !== null) return rejection;
  if (token === null || form === null) return tokenUnknown;
  const bodyHash = hash('sha256', received.body, 'buffer');
  const checks = checkAll(token, form, claim, { at: received.arrival.at, bodyHash, directory });
  const failed = firstOf(checks);
  const key = { hash: tokenKeyHash(form.idBytes, token.jti), bodyHash: fingerprintOf(bodyHash) };
  const workspace = directory.workspace(form.workspaceId);
  if (failed !== null) {
    if (!isProven(checks, token, received.arrival.at)) return failed;
    const proof: Proof = { form, token: null, signature: null, body: received.body, keyHash: key.hash };
    return workspace !== null && !workspace.isSuspended
      ? new PageRejectionUnlessRepeat(failed, proof, workspace, key)
      : new ProvenRejection(failed.reason, failed.detail, proof);
  }
  return {
    received,
    workspace: workspace as WorkspaceEntry,
    form,
    page: {
      key,
      signals: {
        isUnproven: false,
        isWorkFast: token.proof === 'fast_work',
        isHeadless: hasHeadlessBrand(claim.headers),
      },
    },
  };
}

interface Circumstances {
  readonly at: number;
  readonly bodyHash: Buffer;
  readonly directory: Directory;
}

function checkAll(
  token: SignedClaims,
  form: FormEntry,
  { headers }: PageClaim,
  { at, bodyHash, directory }: Circumstances,
): Checks {
  const isBodyRight = token.bodyHash === null || token.bodyHash.equals(bodyHash);
  return {
    open: checkOpen(form, directory),
    enabled: form.browser?.isEnabled === true ? null : browserDisabled,
    epoch: checkEpoch(token, form),
    origin: checkOrigin(headers.origin, token.origin, form, at),
    expiry: checkExpiry(token, at),
    body: isBodyRight ? null : bodyMismatch,
  };
}

function firstOf({ open, enabled, epoch, origin, expiry, body }: Checks): Rejection | null {
  return open ?? enabled ?? epoch ?? origin ?? expiry ?? body;
}

/**
 * What is only late, or sent to a form that takes nothing now, comes from a page of the form and may become a lead. Not if it
 * is so old that nobody can still be waiting for it: a visitor could send one token for ever.
 */
function isProven({ enabled, epoch, origin, body }: Checks, token: SignedClaims, at: number): boolean {
  const isRecent = at - token.expiresAt * secondMs <= expiredTokenMsMax;
  return enabled === null && epoch === null && origin === null && body === null && isRecent;
}

function checkEpoch({ epoch, isByEndedSecret }: SignedClaims, { browser }: FormEntry): Rejection | null {
  if (isByEndedSecret) return secretEnded;
  return epoch === browser?.epoch ? null : tokenRevoked;
}

export function checkExpiry(
  { issuedAt, expiresAt }: Pick<SignedClaims, 'issuedAt' | 'expiresAt'>,
  at: number,
): Rejection | null {
  const now = at / secondMs;
  if (expiresAt <= now)
    return new Rejection('token_expired', { expired_seconds: Math.floor(now - expiresAt) });
  if (issuedAt > now + aheadSecondsMax)
    return new Rejection('token_expired', { ahead_seconds: Math.ceil(issuedAt - now) });
  return null;
}
