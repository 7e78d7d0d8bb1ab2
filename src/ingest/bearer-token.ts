import type { Directory, FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { Identity } from './identity.ts';
import { Rejection } from './rejection.ts';

/** What a good token proves. */
export interface TokenProof {
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: TokenEntry;
  readonly signature: null;
}

/** Surface 1a: token, then workspace, then form. */
export function judgeToken(
  { token, fault }: Identity,
  directory: Directory,
  now: number,
): TokenProof | Rejection {
  if (token === null) return fault ?? new Rejection('token_unknown');
  if (token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now)) return ended(token);
  if (token.type !== 'server') return new Rejection('token_wrong_type', { type: token.type });

  const workspace = directory.workspace(token.workspaceId);
  if (workspace === null || workspace.isSuspended) return new Rejection('workspace_suspended');
  const form = directory.form(token.formId);
  if (form === null || form.isDeleted) return new Rejection('form_unknown');
  if (!form.isActive) return new Rejection('form_inactive');
  return { workspace, form, token, signature: null };
}

/** Three ways to end, one reason; the owner learns which it was. */
function ended({ revokedAt, expiresAt, replacedBy }: TokenEntry): Rejection {
  const endedAt = revokedAt ?? expiresAt ?? 0;
  if (replacedBy !== null)
    return new Rejection('token_revoked', {
      replaced_by: replacedBy,
      grace_ended_at: new Date(endedAt).toISOString(),
    });
  return new Rejection('token_revoked', revokedAt === null ? { expired: true } : {});
}
