import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { newToken, Token } from '../../contract/tokens.ts';
import * as contract from '../../contract/tokens.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { findFormForUpdate } from '../../db/forms/forms.ts';
import {
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

export const tokenRoutes = [
  route(contract.createToken, ({ params, body, principal }, deps) =>
    createToken(deps, principal, params.workspace_id, body),
  ),
  route(contract.listTokens, ({ params, query }, { pool, clock }) =>
    page(query, {
      fetch: (request) => listTokens(pool, params.workspace_id, request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: (record) => viewToken(record, clock.now()),
    }),
  ),
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
  return { ...viewToken(record, now), token };
}

async function revokeToken(deps: ManagementDeps, workspaceId: string, tokenId: string): Promise<void> {
  await changeDirectory(deps, async (client) => {
    const token = await findTokenForUpdate(client, workspaceId, tokenId);
    if (token === null) throw notFound('token');
    if (token.revokedAt !== null) return;
    const revision = await nextDirectoryRevision(client);
    await markTokenRevoked(client, workspaceId, tokenId, new Date(deps.clock.now()), revision);
  });
}

export function tokenStatus({ revokedAt, expiresAt }: TokenRecord, now: number): Token['status'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active';
}

export function viewToken(record: TokenRecord, now: number): Token {
  const { id, name, formId, type, hint, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
  return {
    id,
    name,
    form_id: formId,
    type,
    hint,
    status: tokenStatus(record, now),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    replaced_by: record.replacedBy,
    replaces: record.replaces,
  };
}
