import { expiredTokenMsMax } from '../domain/held/held-bounds.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import type { VerifiedSignature } from '../domain/signature.ts';
import type { Clock } from '../time/clock.ts';
import type { Directory, FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { Received } from './receive.ts';
import { type Proof, ProvenRejection, Rejection, type RejectionDetail } from './rejection.ts';
import { proveSignature, type SignatureProof } from './webhook-signature.ts';

export interface AuthenticateDeps {
  readonly directory: Directory;
  readonly clock: Clock;
}

/** What a valid token proves. */
interface TokenProof {
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
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

  constructor(received: Received, { workspace, form, token, signature }: TokenProof | SignatureProof) {
    this.received = received;
    this.workspace = workspace;
    this.form = form;
    this.token = token;
    this.signature = signature;
  }
}

export type { Authenticated };

/** Checks the token or the signature against the directory in memory, without a query. */
export function authenticate(
  received: Received,
  { directory, clock }: AuthenticateDeps,
): Authenticated | Rejection {
  const proof =
    received.arrival.surface === 'server'
      ? proveToken(received, directory)
      : proveSignature(received, directory, clock);
  return proof instanceof Rejection ? proof : new Authenticated(received, proof);
}

export function proofOf({ received, form, token, signature }: Authenticated): Proof {
  return { form, token, signature, body: received.body };
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
  if (!form.isActive) return rejectionOf('form_inactive', {}, proof);
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
