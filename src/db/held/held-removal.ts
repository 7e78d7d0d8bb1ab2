import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { changedBy, rowsOf, run } from '../sql.ts';
import { addUsage, type FreedRow, freedBy, lockUsage } from './held-usage.ts';

/** Deletes rows, and what they use is free again when the transaction ends. */
async function removeHeld(
  client: pg.PoolClient,
  workspaceId: string,
  which: RawBuilder<unknown>,
): Promise<number> {
  await lockUsage(client, [workspaceId]);
  const removed = await rowsOf(
    client,
    sql<FreedRow>`delete from held_submissions where ${inWorkspace(workspaceId)} and ${which}
      returning form_id as "formId", class, octet_length(sealed) as bytes`,
  );
  const counted = removed.filter(({ bytes }) => bytes !== null);
  await addUsage(
    client,
    counted.map((row) => freedBy(workspaceId, row)),
  );
  return removed.length;
}

/** In every state. Returns how many were deleted. */
export async function deleteExpiredHeld(
  pool: pg.Pool,
  workspaceId: string,
  now: Date,
  rowsMax: number,
): Promise<number> {
  const expired = sql`ctid = any (array(select ctid from held_submissions
    where ${inWorkspace(workspaceId)} and expires_at <= ${now} limit ${rowsMax} for update skip locked))`;
  return inTransaction(pool, (client) => removeHeld(client, workspaceId, expired));
}

/** Workspaces of a shard in which something is past its time. */
export async function listWithExpiredHeld(db: Queryable, shard: number, now: Date): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<{ id: string }>`
      select distinct workspace_id as id from held_submissions where shard = ${shard} and expires_at <= ${now}`,
  );
  return rows.map(({ id }) => id);
}

/** Take the lock of erasures first. */
export async function deleteHeldOfForm(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
): Promise<void> {
  await removeHeld(client, workspaceId, sql`form_id = ${formId}`);
}

/** Whether it has any. With the lock of erasures, it stays so until the end of the transaction. */
export async function hasHeld(db: Queryable, workspaceId: string): Promise<boolean> {
  return (
    (await changedBy(db, sql`select from held_submissions where ${inWorkspace(workspaceId)} limit 1`)) > 0
  );
}

/** Of the bodies of leads, or of a person in them. Take the lock of erasures first. */
export async function deleteHeldCopies(
  client: pg.PoolClient,
  workspaceId: string,
  bodyHashes: readonly Buffer[],
  personHashes: readonly Buffer[],
): Promise<void> {
  // Apart, because only the first has an index. The second reads the rows of the workspace, whose number is bounded.
  await removeHeld(client, workspaceId, sql`body_hash = any (${bodyHashes}::bytea[])`);
  if (personHashes.length > 0)
    await removeHeld(
      client,
      workspaceId,
      // PostgreSQL hashes a long list here; `&&` would compare each with each.
      sql`exists (select from unnest(person_hashes) as p (hash) where p.hash = any (${personHashes}::bytea[]))`,
    );
}

/** Take the lock of erasures first. */
export async function deleteHeld(
  client: pg.PoolClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await removeHeld(client, workspaceId, sql`id = any (${ids}::uuid[])`);
}

/** None is kept for longer than this many days from now on. */
export async function shortenHeld(client: pg.PoolClient, workspaceId: string, days: number): Promise<void> {
  await lockUsage(client, [workspaceId]);
  // In a time zone without summer time, the sum is the same everywhere: Citus runs nothing else on its nodes.
  const end = sql`((received_at at time zone 'UTC') + make_interval(days => ${days}::int)) at time zone 'UTC'`;
  await run(
    client,
    sql`update held_submissions set expires_at = ${end} where ${inWorkspace(workspaceId)} and expires_at > ${end}`,
  );
}

const unhashedPerPage = 50;

interface UnhashedHeld {
  readonly id: string;
  readonly sealed: Buffer;
}

/** A page of the requests that an earlier version stored without a hash of their body. */
export async function listUnhashedHeld(
  client: pg.PoolClient,
  workspaceId: string,
  after: string | null,
): Promise<UnhashedHeld[]> {
  const isAfter = after === null ? sql`` : sql`and id > ${after}`;
  return rowsOf(
    client,
    sql<UnhashedHeld>`
      select id, sealed from held_submissions
      where ${inWorkspace(workspaceId)} and body_hash = '' and sealed is not null ${isAfter}
      order by id limit ${unhashedPerPage}`,
  );
}

/** Days before this one are not counted any more. */
export async function deleteOldMissed(db: Queryable, shard: number, before: Date): Promise<void> {
  await run(db, sql`delete from held_missed where shard = ${shard} and day < ${before}::date`);
}

export async function deleteOldHeldDecisions(db: Queryable, before: Date): Promise<void> {
  await run(db, sql`delete from held_decisions where finished_at < ${before}`);
}
