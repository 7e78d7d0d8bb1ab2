import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../../domain/workspace.ts';
import { inTransaction } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { onlyRow, rowsOf, run } from '../../sql.ts';
import type { Interval } from './block-rows.ts';

/*
 * A block is deleted in the transaction that erases or changes one of its leads. The lock makes sure that the transaction sees
 * every block that has read the lead as it was before:
 *
 *   builder   reads leads, writes the block, takes the lock alone, reads the leads again, commits if nothing has changed
 *   others    change the lead, share the lock until they commit, delete the block
 *
 * Its grams, by far the most rows, are deleted later: without the block they say nothing of any lead.
 */

/** Waits for those who delete blocks of the workspace; they wait for the end of this transaction. */
export async function lockBlocks(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`select pg_advisory_xact_lock(${keyOf(workspaceId)})`);
}

/** Takes the lock until the end of the transaction, unless another instance builds a block. */
export async function isIndexFree(client: pg.PoolClient): Promise<boolean> {
  const lock = sql<{ readonly isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('leadgate lead index', 0)) as "isLocked"`;
  return (await onlyRow(client, lock)).isLocked;
}

/** The blocks that cover these times. They are built again later. */
export async function dropBlocks(
  client: pg.PoolClient,
  workspaceId: string,
  times: readonly Date[],
): Promise<void> {
  await shareBlocks(client, workspaceId);
  const sorted = times.map((at) => at.getTime()).toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return;
  // Looking for the block of each lead would take longer than erasing the lead.
  const between = await rowsOf(
    client,
    sql<Interval>`
      select from_at as "from", to_at as "to" from lead_blocks
      where ${inWorkspace(workspaceId)} and from_at <= ${new Date(last)} and to_at > ${new Date(first)}`,
  );
  const covering = between.filter(({ from, to }) => hasTimeIn(sorted, from.getTime(), to.getTime()));
  if (covering.length > 0)
    await deleteBlocks(
      client,
      workspaceId,
      sql`select unnest(${covering.map(({ from }) => from)}::timestamptz[])`,
    );
}

/** Whether one of the sorted times is at `from` or after it, and before `to`. */
function hasTimeIn(sorted: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  const next = sorted[low];
  return next !== undefined && next < to;
}

/** The blocks that should have these leads, and do not. */
export async function dropBlocksWithout(
  client: pg.PoolClient,
  workspaceId: string,
  leads: readonly { readonly submissionId: string; readonly receivedAt: Date }[],
): Promise<void> {
  await shareBlocks(client, workspaceId);
  const times = leads.map(({ receivedAt }) => receivedAt);
  const ids = leads.map(({ submissionId }) => submissionId);
  const covering = sql`
    select b.from_at from unnest(${times}::timestamptz[], ${ids}::uuid[]) as given (at, id)
    ${coveringBlock(workspaceId)} and position(uuid_send(given.id) in b.places) = 0`;
  await deleteBlocks(client, workspaceId, covering);
}

async function shareBlocks(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`select pg_advisory_xact_lock_shared(${keyOf(workspaceId)})`);
}

/** Joins the block `b` that covers the time `given.at`. */
function coveringBlock(workspaceId: string): RawBuilder<unknown> {
  return sql`
    cross join lateral (
      select from_at, to_at, places from lead_blocks
      where shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId} and from_at <= given.at
      order by from_at desc limit 1) as b
    where b.to_at > given.at`;
}

async function deleteBlocks(
  client: pg.PoolClient,
  workspaceId: string,
  startingAt: RawBuilder<unknown>,
): Promise<void> {
  const dropped = await rowsOf(
    client,
    sql<{ readonly block: number }>`
      delete from lead_blocks where ${inWorkspace(workspaceId)} and from_at = any (array(${startingAt})) returning block`,
  );
  if (dropped.length === 0) return;
  const blocks = dropped.map(({ block }) => block);
  await run(
    client,
    sql`delete from lead_runs where ${inWorkspace(workspaceId)} and block = any (${blocks}::int[])`,
  );
  await run(
    client,
    sql`
      insert into dropped_lead_blocks (shard, workspace_id, block)
      select ${shardOf(workspaceId)}::smallint, ${workspaceId}::uuid, block from unnest(${blocks}::int[]) as block`,
  );
}

/** Deletes the grams of some dropped blocks; false if there are none. */
export async function clearDropped(pool: pg.Pool, workspaceId: string, blocksMax: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const dropped = await rowsOf(
      client,
      sql<{ readonly block: number }>`
        select block from dropped_lead_blocks where ${inWorkspace(workspaceId)}
        order by block limit ${blocksMax} for update skip locked`,
    );
    const blocks = dropped.map(({ block }) => block);
    for (const table of ['lead_grams', 'dropped_lead_blocks'])
      await run(
        client,
        sql`delete from ${sql.table(table)} where ${inWorkspace(workspaceId)} and block = any (${blocks}::int[])`,
      );
    return blocks.length > 0;
  });
}

function keyOf(workspaceId: string): RawBuilder<unknown> {
  return sql`hashtextextended('leadgate lead index ' || ${workspaceId}::text, 0)`;
}
