import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { operationId } from '../../contract/call.ts';
import * as contract from '../../contract/tokens/handover-links.ts';
import {
  countHandovers,
  deleteHandover,
  findHandover,
  insertHandover,
  type OpenHandover,
  takeHandover,
} from '../../db/forms/token-handovers.ts';
import { findTokenForUpdate } from '../../db/forms/tokens.ts';
import { inTransaction } from '../../db/pool.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { findRole, lockWorkspace } from '../../db/workspaces/memberships.ts';
import { hourMs } from '../../time/clock.ts';
import { auditRecord } from '../audit/audit.ts';
import { needsRole, type Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { hashLinkToken, mintLinkToken } from '../people/link-token.ts';
import { createdBy, tokenStatus, viewLink } from './token-view.ts';

const lifetimeMs = 72 * hourMs;
const linksPerTokenMax = 3;

/**
 * Links that hand a token over without a chat in between. The service has only the ciphertext, and whoever has the link has
 * the key.
 */
export const handoverRoutes = [
  route(contract.createHandoverLink, ({ params, body, principal }, deps) => {
    const ciphertext = Buffer.from(body.ciphertext, 'base64url');
    return inTransaction(deps.pool, (client) => create(client, deps, principal, params, ciphertext));
  }),
  route(contract.cancelHandoverLink, async ({ params: { workspace_id, token_id, link_id } }, { pool }) => {
    if (!(await deleteHandover(pool, workspace_id, token_id, link_id))) throw notFound('link');
  }),
  route(contract.previewHandoverLink, async ({ body, client }, deps) => {
    await deps.accounts.resets.used(client.address);
    const found = await findHandover(deps.pool, hashLinkToken(body.token), new Date(deps.clock.now()));
    if (found === null) throw notFound('link');
    return {
      token_name: found.tokenName,
      hint: found.hint,
      form: found.formName,
      workspace: found.workspaceName,
      created_by: found.madeBy,
      expires_at: found.expiresAt.toISOString(),
    };
  }),
  route(contract.openHandoverLink, async ({ body, client: { address } }, deps) => {
    await deps.accounts.resets.used(address);
    return inTransaction(deps.pool, (client) => open(client, deps, hashLinkToken(body.token), address));
  }),
];

async function create(
  client: pg.PoolClient,
  { clock, publicUrl }: ManagementDeps,
  principal: Principal,
  { workspace_id: workspaceId, token_id: tokenId }: { workspace_id: string; token_id: string },
  ciphertext: Buffer,
) {
  const now = new Date(clock.now());
  await requireStillOwner(client, principal, workspaceId);
  const token = await findTokenForUpdate(client, workspaceId, tokenId);
  if (token === null) throw notFound('token');
  if (tokenStatus(token, now.getTime()) !== 'active')
    throw new Problem('token_ended', 'Create a token, or rotate one, and hand over the new one.');
  if ((await countHandovers(client, tokenId, now)) >= linksPerTokenMax)
    throw new Problem(
      'quota_reached',
      `A token can have ${linksPerTokenMax} open links. Cancel one, or wait until one is opened.`,
    );
  const link = mintLinkToken();
  const expiresAt = new Date(Math.min(now.getTime() + lifetimeMs, token.expiresAt?.getTime() ?? Infinity));
  const handover = {
    id: randomUUID(),
    tokenId,
    linkHash: hashLinkToken(link),
    ciphertext,
    personId: principal.kind === 'person' ? principal.person.id : null,
    apiKeyId: principal.kind === 'api_key' ? principal.key.id : null,
    createdAt: now,
    expiresAt,
  };
  await insertHandover(client, workspaceId, handover);
  const { creatorKind, creatorName } = createdBy(principal);
  const madeBy = creatorKind === 'api_key' ? `API key ${creatorName}` : creatorName;
  return { ...viewLink({ ...handover, madeBy }), link: `${publicUrl()}/handover#token=${link}` };
}

/** Whoever loses the role at the same time must not leave a link that works when they get it back. */
async function requireStillOwner(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
): Promise<void> {
  await lockWorkspace(client, workspaceId);
  if (principal.kind !== 'person') return;
  if ((await findRole(client, workspaceId, principal.person.id)) !== 'owner') throw needsRole('owner');
}

async function open(client: pg.PoolClient, deps: ManagementDeps, linkHash: Buffer, address: string) {
  const now = new Date(deps.clock.now());
  const found = await findHandover(client, linkHash, now);
  const ciphertext = found === null ? null : await takeHandover(client, linkHash, now);
  if (found === null || ciphertext === null) throw notFound('link');
  await keepTrace(client, deps, found, address);
  return { ciphertext: ciphertext.toString('base64url') };
}

/** Whoever has the link may be anyone, also if they are signed in. */
async function keepTrace(
  client: pg.PoolClient,
  deps: ManagementDeps,
  { workspaceId, tokenId, id, madeBy }: OpenHandover,
  address: string,
): Promise<void> {
  const what = {
    action: operationId(contract.openHandoverLink),
    target: { token_id: tokenId, link_id: id },
    changes: { link_made_by: madeBy ?? 'the operator' },
    address: address || null,
  };
  await insertAudit(client, auditRecord(deps, { kind: 'nobody' }, workspaceId, what, true));
}
