import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ApiKey, newApiKey } from '../../contract/workspaces/api-keys.ts';
import * as contract from '../../contract/workspaces/api-keys.ts';
import { noteLearnedDue } from '../../db/forms/form-learning.ts';
import { inTransaction } from '../../db/pool.ts';
import {
  type ApiKeyRecord,
  insertApiKey,
  type ListedApiKey,
  listApiKeys,
  markApiKeyRevoked,
} from '../../db/workspaces/api-keys.ts';
import { hashApiKey, mintApiKey } from '../../domain/api-key/api-key.ts';
import { hintOf } from '../../domain/secrets/checksummed.ts';
import type { Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { invalidInput, notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForApiKey } from '../workspaces/quotas.ts';

export const apiKeyRoutes = [
  route(contract.createApiKey, ({ params, body, principal }, deps) =>
    createApiKey(deps, principal, params.workspace_id, body),
  ),
  route(contract.listApiKeys, ({ params, query }, { pool, clock }) =>
    page(query, {
      fetch: (request) => listApiKeys(pool, params.workspace_id, request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: (record) => viewApiKey(record, clock.now()),
    }),
  ),
  route(contract.readOwnApiKey, async ({ principal }, { clock }) => {
    if (principal.kind !== 'api_key') throw notFound('API key');
    const record = { ...principal.key, creatorName: null, isCreatorMember: false };
    const { created_by: _, ...own } = viewApiKey(record, clock.now());
    return own;
  }),
  route(contract.revokeApiKey, async ({ params }, { pool, clock, learning }) => {
    const at = new Date(clock.now());
    if (!(await markApiKeyRevoked(pool, params.workspace_id, params.api_key_id, at)))
      throw notFound('API key');
    // What the program marked no longer counts.
    await noteLearnedDue(pool, params.workspace_id, at);
    learning.wake();
  }),
];

async function createApiKey(
  { pool, clock }: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  wanted: z.output<typeof newApiKey>,
) {
  const now = clock.now();
  const { name, scopes, expires_at: expiresAt = null } = wanted;
  if (expiresAt !== null && expiresAt.getTime() <= now) {
    throw invalidInput([{ field: 'expires_at', message: 'must be in the future' }]);
  }
  const key = mintApiKey();
  const creator = principal.kind === 'person' ? principal.person : null;
  const record: ApiKeyRecord = {
    id: randomUUID(),
    name,
    scopes,
    hint: hintOf(key),
    createdBy: creator?.id ?? null,
    createdAt: new Date(now),
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  };
  await inTransaction(pool, async (client) => {
    await requireRoomForApiKey(client, principal, workspaceId, now);
    await insertApiKey(client, workspaceId, record, hashApiKey(key));
  });
  const listed = { ...record, creatorName: creator?.name ?? null, isCreatorMember: creator !== null };
  return { ...viewApiKey(listed, now), key };
}

function viewApiKey(record: ListedApiKey, now: number): ApiKey {
  const { id, name, scopes, hint, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
  return {
    id,
    name,
    scopes: [...scopes],
    hint,
    status: statusOf(record, now),
    created_at: createdAt.toISOString(),
    created_by: viewCreator(record),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function viewCreator({ createdBy, creatorName, isCreatorMember }: ListedApiKey): ApiKey['created_by'] {
  return createdBy === null ? null : { id: createdBy, name: creatorName ?? '', is_member: isCreatorMember };
}

function statusOf({ revokedAt, expiresAt }: ApiKeyRecord, now: number): ApiKey['status'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active';
}
