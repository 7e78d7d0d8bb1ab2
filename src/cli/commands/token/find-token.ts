import type { Token } from '../../../contract/tokens.ts';
import type { Api } from '../../api.ts';
import { findWorkspace, only } from '../../find.ts';

/** The name of a revoked token may be used again; an id is unique. */
const isNamed = ({ status }: Token) => status !== 'revoked';
/** Of those with the same name, the newest of a series of rotations. */
export const isCurrent = ({ status, replaced_by }: Token) => status === 'active' && replaced_by === null;

/** The token with that name or id. */
export async function findToken(
  api: Api,
  workspace: string | undefined,
  wanted: string,
  isMeant: (token: Token) => boolean = isNamed,
): Promise<{ workspaceId: string; token: Token }> {
  const { id: workspaceId } = await findWorkspace(api, workspace);
  const all = await api.list('/workspaces/:workspace_id/tokens', { params: { workspace_id: workspaceId } });
  const meant = all.filter((token) => token.id === wanted || isMeant(token));
  return { workspaceId, token: only(meant, 'token', wanted, ({ id, name }) => [id, name]) };
}
