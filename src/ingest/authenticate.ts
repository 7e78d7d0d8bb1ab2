import type { Clock } from '../time/clock.ts';
import type { Identity } from './arrive.ts';
import type { Directory, FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { Received } from './receive.ts';
import { Rejection } from './rejection.ts';
import { proveSignature, type SignatureProof, type VerifiedSignature } from './webhook-signature.ts';

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
  const { surface, identity, at } = received.arrival;
  const proof =
    surface === 'server' ? proveToken(identity, directory, at) : proveSignature(received, directory, clock);
  return proof instanceof Rejection ? proof : new Authenticated(received, proof);
}

/** Token surface: token, then workspace, then form. */
function proveToken(
  { token, rejection }: Identity,
  directory: Directory,
  now: number,
): TokenProof | Rejection {
  if (token === null) return rejection ?? new Rejection('token_unknown');
  if (token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now)) return ended(token);
  if (token.type !== 'server') return new Rejection('token_wrong_type', { type: token.type });

  const workspace = directory.workspace(token.workspaceId);
  if (workspace === null || workspace.isSuspended) return new Rejection('workspace_suspended');
  const form = directory.form(token.formId);
  if (form === null || form.isDeleted) return new Rejection('form_unknown');
  if (!form.isActive) return new Rejection('form_inactive');
  return { workspace, form, token, signature: null };
}

/** Revoked, expired or replaced: one reason, and the detail tells the owner which. */
function ended({ revokedAt, expiresAt, replacedBy }: TokenEntry): Rejection {
  const endedAt = revokedAt ?? expiresAt ?? 0;
  if (replacedBy !== null)
    return new Rejection('token_revoked', {
      replaced_by: replacedBy,
      grace_ended_at: new Date(endedAt).toISOString(),
    });
  return new Rejection('token_revoked', revokedAt === null ? { expired: true } : {});
}
