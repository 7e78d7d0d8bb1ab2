import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as contract from '../../contract/tokens.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { findFormForUpdate } from '../../db/forms/forms.ts';
import { deleteHandoversOf } from '../../db/forms/token-handovers.ts';
import {
  findTokenForUpdate,
  insertToken,
  markTokenReplaced,
  type TokenRecord,
  unusedToken,
} from '../../db/forms/tokens.ts';
import { hashToken, mintToken, tokenHint } from '../../domain/token.ts';
import { secondMs } from '../../time/clock.ts';
import type { Principal } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForSuccessor } from '../workspaces/quotas.ts';
import { createdBy, tokenStatus, viewNewToken } from './token-view.ts';

export const tokenRotationRoutes = [
  route(contract.rotateToken, async ({ params, body, principal }, deps) => {
    const now = deps.clock.now();
    const { record, token } = await rotate(
      deps,
      principal,
      params.workspace_id,
      params.token_id,
      body.grace_seconds,
    );
    return { ...viewNewToken(record, now), token };
  }),
];

async function rotate(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  tokenId: string,
  graceSeconds: number,
) {
  return changeDirectory(deps, async (client) => {
    const now = deps.clock.now();
    await requireRoomForSuccessor(client, principal, workspaceId, now);
    const former = await lockRotatable(client, workspaceId, tokenId, now);
    const token = mintToken(former.type);
    const record = successorOf(former, token, principal, now);
    const revision = await nextDirectoryRevision(client);
    await insertToken(client, workspaceId, record, hashToken(token), revision);
    const end = { replacedBy: record.id, ...endAfter(former, graceSeconds * secondMs, now) };
    await markTokenReplaced(client, workspaceId, tokenId, end, revision);
    if (end.revokedAt !== null) await deleteHandoversOf(client, tokenId);
    return { record, token };
  });
}

/** The lock ensures that one of two simultaneous rotations is refused. */
async function lockRotatable(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
  now: number,
): Promise<TokenRecord> {
  const token = await findTokenForUpdate(client, workspaceId, tokenId);
  if (token === null) throw notFound('token');
  if (token.replacedBy !== null) throw notRotatable('It was already rotated. Rotate its replacement.');
  const status = tokenStatus(token, now);
  if (status !== 'active') throw notRotatable(`It is ${status}. Create a new token.`);
  if ((await findFormForUpdate(client, workspaceId, token.formId)) === null)
    throw notRotatable('Its form was deleted. Create a token for another form.');
  return token;
}

/** A token with a lifetime gets a replacement with the same lifetime, starting now. */
function successorOf(former: TokenRecord, token: string, principal: Principal, now: number): TokenRecord {
  const { id, formId, name, type, createdAt, expiresAt } = former;
  return {
    id: randomUUID(),
    formId,
    name,
    type,
    hint: tokenHint(token),
    createdAt: new Date(now),
    ...createdBy(principal),
    expiresAt: expiresAt === null ? null : new Date(now + expiresAt.getTime() - createdAt.getTime()),
    ...unusedToken,
    replaces: id,
  };
}

function endAfter({ expiresAt }: TokenRecord, graceMs: number, now: number) {
  if (graceMs === 0) return { expiresAt, revokedAt: new Date(now) };
  const end = Math.min(now + graceMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  return { expiresAt: new Date(end), revokedAt: null };
}

function notRotatable(detail: string): Problem {
  return new Problem('token_not_rotatable', detail);
}
