import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, onlyRow, rowsOf, run } from '../sql.ts';

/** Whose permission a link depends on: a person's, an API key's, or neither's if it was created with the operator key. */
interface HandoverMaker {
  readonly personId: string | null;
  readonly apiKeyId: string | null;
}

export interface NewHandover extends HandoverMaker {
  readonly id: string;
  readonly tokenId: string;
  readonly linkHash: Buffer;
  /** The token, encrypted under a key that the service never sees. */
  readonly ciphertext: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What someone with the link learns before they open it. */
export interface OpenHandover {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly tokenId: string;
  readonly tokenName: string;
  readonly hint: string;
  readonly formName: string;
  /** Null for the operator key. */
  readonly madeBy: string | null;
  readonly expiresAt: Date;
}

/**
 * A link is void when its token has ended, while the workspace is suspended, and when its creator may not create one any
 * more. `h` is the link, `t` its token.
 */
function isHandoverGood(now: Date) {
  return sql`h.expires_at > ${now} and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now})
    and exists (select from workspaces w where w.id = h.workspace_id and w.status = 'active')
    and (h.person_id is null or exists (select from memberships m
      where m.workspace_id = h.workspace_id and m.person_id = h.person_id and m.role = 'owner'))
    and (h.api_key_id is null or exists (select from api_keys k
      where k.id = h.api_key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})))`;
}

/** Called under the lock of the token, so that two callers cannot exceed the limit. */
export async function countHandovers(client: pg.PoolClient, tokenId: string, now: Date): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from token_handovers h join tokens t on t.id = h.token_id
      where h.token_id = ${tokenId} and ${isHandoverGood(now)}`,
  );
  return count;
}

export async function insertHandover(
  client: pg.PoolClient,
  workspaceId: string,
  { id, tokenId, linkHash, ciphertext, personId, apiKeyId, createdAt, expiresAt }: NewHandover,
): Promise<void> {
  await run(
    client,
    sql`insert into token_handovers
        (id, workspace_id, token_id, link_hash, locked_token, person_id, api_key_id, created_at, expires_at)
      values (${id}, ${workspaceId}, ${tokenId}, ${linkHash}, ${ciphertext}, ${personId}, ${apiKeyId}, ${createdAt},
        ${expiresAt})`,
  );
}

export interface ListedHandover {
  readonly id: string;
  readonly tokenId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null for the operator key. */
  readonly madeBy: string | null;
}

const madeBy = sql`coalesce(p.name, 'API key ' || k.name) as "madeBy"`;
const withMaker = sql`left join people p on p.id = h.person_id left join api_keys k on k.id = h.api_key_id`;

/** Those that can still be opened, the newest first. */
export async function listHandovers(
  db: Queryable,
  tokenIds: readonly string[],
  now: Date,
): Promise<ListedHandover[]> {
  return rowsOf(
    db,
    sql<ListedHandover>`select h.id, h.token_id as "tokenId", h.created_at as "createdAt", h.expires_at as "expiresAt",
        ${madeBy}
      from token_handovers h join tokens t on t.id = h.token_id ${withMaker}
      where h.token_id = any (${tokenIds}::uuid[]) and ${isHandoverGood(now)}
      order by h.created_at desc, h.id`,
  );
}

export async function findHandover(db: Queryable, linkHash: Buffer, now: Date): Promise<OpenHandover | null> {
  return firstRow(
    db,
    sql<OpenHandover>`select h.id, h.workspace_id as "workspaceId", w.name as "workspaceName", h.token_id as "tokenId",
        t.name as "tokenName", t.hint, f.name as "formName", ${madeBy},
        h.expires_at as "expiresAt"
      from token_handovers h join tokens t on t.id = h.token_id join forms f on f.id = t.form_id
        join workspaces w on w.id = h.workspace_id ${withMaker}
      where h.link_hash = ${linkHash} and ${isHandoverGood(now)}`,
  );
}

/**
 * The ciphertext for only one of several callers with the same link; null for the others. Locks what the link depends on:
 * a revocation or a change of the creator's role waits for this transaction, and if it came first, the link is void.
 */
export async function takeHandover(
  client: pg.PoolClient,
  linkHash: Buffer,
  now: Date,
): Promise<Buffer | null> {
  const isMeant = sql`h.link_hash = ${linkHash}`;
  await run(
    client,
    sql`select from token_handovers h join workspaces w on w.id = h.workspace_id where ${isMeant} for share of w`,
  );
  await run(
    client,
    sql`select from token_handovers h
      join memberships m on m.workspace_id = h.workspace_id and m.person_id = h.person_id
      where ${isMeant} for share of m`,
  );
  await run(
    client,
    sql`select from token_handovers h join api_keys k on k.id = h.api_key_id where ${isMeant} for share of k`,
  );
  await run(
    client,
    sql`select from token_handovers h join tokens t on t.id = h.token_id where ${isMeant} for share of t`,
  );
  const taken = await firstRow(
    client,
    sql<{ ciphertext: Buffer }>`delete from token_handovers h using tokens t
      where t.id = h.token_id and ${isMeant} and ${isHandoverGood(now)} returning h.locked_token as "ciphertext"`,
  );
  return taken?.ciphertext ?? null;
}

export async function deleteHandover(
  db: Queryable,
  workspaceId: string,
  tokenId: string,
  id: string,
): Promise<boolean> {
  const deleted = await changedBy(
    db,
    sql`delete from token_handovers where workspace_id = ${workspaceId} and token_id = ${tokenId} and id = ${id}`,
  );
  return deleted === 1;
}

/** For a token that was revoked. */
export async function deleteHandoversOf(client: pg.PoolClient, tokenId: string): Promise<void> {
  await run(client, sql`delete from token_handovers where token_id = ${tokenId}`);
}

/** For someone who is no longer an owner. Their links must stay void if they become an owner again. */
export async function deleteHandoversMadeBy(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  await run(
    client,
    sql`delete from token_handovers where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
}

export async function deleteExpiredHandovers(db: Queryable, now: Date): Promise<void> {
  await run(db, sql`delete from token_handovers where expires_at <= ${now}`);
}
