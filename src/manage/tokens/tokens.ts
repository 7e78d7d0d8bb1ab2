import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { newToken } from '../../contract/tokens.ts';
import * as contract from '../../contract/tokens.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { findFormForUpdate } from '../../db/forms/forms.ts';
import { listTokenAddresses } from '../../db/forms/token-addresses.ts';
import { deleteHandoversOf } from '../../db/forms/token-handovers.ts';
import {
  findToken,
  findTokenForUpdate,
  insertToken,
  listTokens,
  markTokenRevoked,
  type TokenRecord,
  unusedToken,
} from '../../db/forms/tokens.ts';
import { hashToken, mintToken, tokenHint } from '../../domain/token.ts';
import type { Principal } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { page } from '../calls/page.ts';
import { invalidInput, notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForToken } from '../workspaces/quotas.ts';
import { createdBy, viewNewToken, viewTokens } from './token-view.ts';

export const tokenRoutes = [
  route(contract.createToken, ({ params, body, principal }, deps) =>
    createToken(deps, principal, params.workspace_id, body),
  ),
  route(contract.listTokens, ({ params, query, ...reader }, deps) =>
    page(query, {
      fetch: async (request) =>
        viewTokens(
          deps,
          reader,
          params.workspace_id,
          await listTokens(deps.pool, params.workspace_id, request),
        ),
      position: ({ created_at, id }) => ({ at: new Date(created_at), id }),
      view: (token) => token,
    }),
  ),
  route(contract.readToken, async ({ params: { workspace_id, token_id }, ...reader }, deps) => {
    const record = await findToken(deps.pool, workspace_id, token_id);
    const [token] = record === null ? [] : await viewTokens(deps, reader, workspace_id, [record]);
    if (token === undefined) throw notFound('token');
    if (reader.role !== 'owner') return { ...token, addresses: null };
    const addresses = await listTokenAddresses(deps.pool, token_id);
    return {
      ...token,
      addresses: addresses.map(({ address, lastAt }) => ({ address, last_at: lastAt.toISOString() })),
    };
  }),
  route(contract.revokeToken, ({ params }, deps) => revokeToken(deps, params.workspace_id, params.token_id)),
];

async function createToken(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  wanted: z.output<typeof newToken>,
) {
  const now = deps.clock.now();
  const { name, type, form_id: formId, expires_at: expiresAt = null } = wanted;
  if (expiresAt !== null && expiresAt.getTime() <= now) {
    throw invalidInput([{ field: 'expires_at', message: 'must be in the future' }]);
  }
  const token = mintToken(type);
  const record: TokenRecord = {
    id: randomUUID(),
    formId,
    name,
    type,
    hint: tokenHint(token),
    createdAt: new Date(now),
    ...createdBy(principal),
    expiresAt,
    ...unusedToken,
  };
  await changeDirectory(deps, async (client) => {
    await requireRoomForToken(client, principal, workspaceId, now);
    if ((await findFormForUpdate(client, workspaceId, formId)) === null) {
      throw invalidInput([{ field: 'form_id', message: 'does not exist in this workspace' }]);
    }
    await insertToken(client, workspaceId, record, hashToken(token), await nextDirectoryRevision(client));
  });
  return { ...viewNewToken(record, now), token };
}

async function revokeToken(deps: ManagementDeps, workspaceId: string, tokenId: string): Promise<void> {
  await changeDirectory(deps, async (client) => {
    const token = await findTokenForUpdate(client, workspaceId, tokenId);
    if (token === null) throw notFound('token');
    if (token.revokedAt !== null) return;
    const revision = await nextDirectoryRevision(client);
    await markTokenRevoked(client, workspaceId, tokenId, new Date(deps.clock.now()), revision);
    await deleteHandoversOf(client, tokenId);
  });
}
