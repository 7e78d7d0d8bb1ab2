import { expiredTokenMsMax } from '../domain/held/held-bounds.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import type { VerifiedSignature } from '../domain/signature.ts';
import { proveNoScript } from './browser/submissions/no-script.ts';
import type { NoScriptLimits } from './browser/submissions/no-script-limits.ts';
import type { Page } from './browser/submissions/page.ts';
import type { PageClaim } from './browser/submissions/page-claim.ts';
import { proveBrowserToken } from './browser/submissions/prove-browser-token.ts';
import type { Directory, FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { Received } from './receive.ts';
import { type Proof, ProvenRejection, Rejection, type RejectionDetail } from './rejection.ts';
import { proveSignature, type SignatureDeps } from './webhook-signature.ts';

export interface AuthenticateDeps extends SignatureDeps {
  readonly noScriptLimits: NoScriptLimits;
}

/** What any proof says. */
interface SenderProof {
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: TokenEntry | null;
  readonly signature: VerifiedSignature | null;
}

/** What a valid token proves. */
interface TokenProof extends SenderProof {
  readonly token: TokenEntry;
  readonly signature: null;
}

/** A request whose sender has proven who they are. */
class Authenticated {
  declare protected readonly stage: 'authenticated';
  readonly received: Received;
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: TokenEntry | null;
  /** Null on the token surface. */
  readonly signature: VerifiedSignature | null;
  /** Null on the other surfaces. */
  readonly page: Page | null;

  constructor(
    received: Received,
    { workspace, form, token, signature }: SenderProof,
    page: Page | null = null,
  ) {
    this.received = received;
    this.workspace = workspace;
    this.form = form;
    this.token = token;
    this.signature = signature;
    this.page = page;
  }
}

export type { Authenticated };

/** Checks the token or the signature against the directory in memory, without a query. */
export function authenticate(received: Received, deps: AuthenticateDeps): Authenticated | Rejection {
  const { identity, surface } = received.arrival;
  if (identity.page !== null) return authenticatePage(received, identity.page, deps);
  const proof = surface === 'server' ? proveToken(received, deps.directory) : proveSignature(received, deps);
  return proof instanceof Rejection ? proof : new Authenticated(received, proof);
}

function authenticatePage(
  received: Received,
  claim: PageClaim,
  { directory, noScriptLimits }: AuthenticateDeps,
): Authenticated | Rejection {
  const proof =
    claim.noScript === null
      ? proveBrowserToken(received, claim, directory)
      : proveNoScript(received, claim.noScript, claim, directory, noScriptLimits);
  if (proof instanceof Rejection) return proof;
  return new Authenticated(proof.received, { ...proof, token: null, signature: null }, proof.page);
}

export function proofOf({ received, form, token, signature, page }: Authenticated): Proof {
  return { form, token, signature, body: received.body, keyHash: page?.key.hash ?? null };
}

/** Token surface: token, then workspace, then form. */
function proveToken({ arrival, body }: Received, directory: Directory): TokenProof | Rejection {
  const { token, rejection } = arrival.identity;
  if (token === null) return rejection ?? new Rejection('token_unknown');
  const form = directory.form(token.formId);
  const proof = form === null || form.isDeleted ? null : { form, token, signature: null, body };
  if (token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= arrival.at))
    return ended(token, hasExpiredLately(token, arrival.at) ? proof : null);
  if (token.type !== 'server') return new Rejection('token_wrong_type', { type: token.type });

  const workspace = directory.workspace(token.workspaceId);
  if (workspace === null) return new Rejection('workspace_suspended');
  if (workspace.isSuspended) return rejectionOf('workspace_suspended', {}, proof);
  if (form === null || form.isDeleted) return new Rejection('form_unknown');
  return { workspace, form, token, signature: null };
}

/** Someone forgot to replace it. A token that was revoked or replaced proves nothing. */
function hasExpiredLately({ type, revokedAt, expiresAt, replacedBy }: TokenEntry, at: number): boolean {
  const isExpired = revokedAt === null && replacedBy === null && expiresAt !== null;
  return type === 'server' && isExpired && at - expiresAt <= expiredTokenMsMax;
}

/** Revoked, expired or replaced: one reason, and the detail tells the owner which. */
function ended({ revokedAt, expiresAt, replacedBy }: TokenEntry, proof: Proof | null): Rejection {
  const endedAt = revokedAt ?? expiresAt ?? 0;
  if (replacedBy !== null)
    return new Rejection('token_revoked', {
      replaced_by: replacedBy,
      grace_ended_at: new Date(endedAt).toISOString(),
    });
  return rejectionOf('token_revoked', revokedAt === null ? { expired: true } : {}, proof);
}

function rejectionOf(reason: RejectionReason, detail: RejectionDetail, proof: Proof | null): Rejection {
  return proof === null ? new Rejection(reason, detail) : new ProvenRejection(reason, detail, proof);
}
