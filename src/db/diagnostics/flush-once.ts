import { sql } from 'kysely';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';
import { changedBy } from '../sql.ts';

/** Runs `write` in a transaction, unless one under the same sequence number was committed. */
export async function applyOnce(
  pool: pg.Pool,
  instanceId: string,
  sequence: number,
  now: number,
  write: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (await claimFlush(client, instanceId, sequence, now)) await write(client);
  });
}

/** As `applyOnce`, for rows of one node. There is at least one. */
export async function applyOnceOnNode(
  pool: pg.Pool,
  rows: readonly { readonly shard: number }[],
  instanceId: string,
  sequence: number,
  now: number,
  write: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  // The same for each attempt, because the rows are.
  const shard = Math.min(...rows.map((row) => row.shard));
  await inTransaction(pool, async (client) => {
    if (await claimFlushOnNode(client, shard, instanceId, sequence, now)) await write(client);
  });
}

async function claimFlush(
  db: Queryable,
  instanceId: string,
  sequence: number,
  now: number,
): Promise<boolean> {
  const claimed = await changedBy(
    db,
    sql`
      insert into diagnostic_flushes as f (instance_id, sequence, flushed_at)
      values (${instanceId}, ${sequence}, ${new Date(now)})
      on conflict (instance_id) do update set sequence = excluded.sequence, flushed_at = excluded.flushed_at
      where f.sequence < excluded.sequence`,
  );
  return claimed === 1;
}

async function claimFlushOnNode(
  db: Queryable,
  shard: number,
  instanceId: string,
  sequence: number,
  now: number,
): Promise<boolean> {
  const claimed = await changedBy(
    db,
    sql`
      insert into node_flushes as f (shard, instance_id, sequence, flushed_at)
      values (${shard}, ${instanceId}, ${sequence}, ${new Date(now)})
      on conflict (shard, instance_id) do update set sequence = excluded.sequence, flushed_at = excluded.flushed_at
      where f.sequence < excluded.sequence`,
  );
  return claimed === 1;
}
