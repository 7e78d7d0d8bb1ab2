import { sql } from 'kysely';
import type pg from 'pg';
import { shardCount } from '../../domain/workspace.ts';
import { onlyRow, run } from '../sql.ts';
import { atomically } from './atomically.ts';
import type { ClusterNode } from './cluster.ts';
import { bucketsTable } from './hot-tables.ts';

const bucketsMin = 8;
const bucketsPerNode = 4;

/**
 * Some per node, so that a cluster can grow a few times over before buckets must be split; not more, because each bucket
 * in a batch costs its node as much as five leads.
 */
export function usualBuckets(nodes: number): number {
  let count = bucketsMin;
  while (count < bucketsPerNode * nodes && count < shardCount) count *= 2;
  return count;
}

/** A divisor of the number of shards, so that all buckets have the same number of them. */
export function isBucketCount(count: number): boolean {
  return Number.isInteger(count) && count > 0 && shardCount % count === 0;
}

/**
 * Creates the buckets, over the nodes in turn. Citus divides the range of hashes into equal parts, which would have between
 * one and seven shards each; splitting one part between the hashes of our shards gives all the same number.
 *
 * A split cannot be in a transaction with the creation of its table, so a run that was killed may leave one bucket. As long
 * as no hot table uses the buckets, the next run starts over.
 */
export async function createBuckets(
  client: pg.ClientBase,
  count: number,
  nodes: readonly ClusterNode[],
): Promise<void> {
  await run(client, sql`drop table if exists ${sql.table(bucketsTable)}`);
  await atomically(client, async () => {
    await run(client, sql`create table ${sql.table(bucketsTable)} (shard smallint primary key)`);
    await run(
      client,
      sql`select create_distributed_table(${bucketsTable}, 'shard', colocate_with => 'none', shard_count => 1)`,
    );
  });
  if (count > 1) await split(client, count, nodes);
}

async function split(client: pg.ClientBase, count: number, nodes: readonly ClusterNode[]): Promise<void> {
  const { points } = await onlyRow(
    client,
    sql<{ points: string[] }>`select array_agg(hash::text order by hash) as points from (
        select hash, row_number() over (order by hash) as place from (
          select worker_hash(shard::smallint) as hash from generate_series(0, ${shardCount}::int - 1) as shard
        ) as hashes
      ) as sorted
      where place % ${shardCount / count}::int = 0 and place < ${shardCount}::int`,
  );
  const places = Array.from({ length: count }, (_, place) => nodes[place % nodes.length]?.nodeId);
  // Blocks writes to a table that has none, and unlike the other modes needs no logical replication.
  await run(
    client,
    sql`select citus_split_shard_by_split_points(shardid, ${points}::text[], ${places}::int[], 'block_writes')
      from pg_dist_shard where logicalrelid = ${bucketsTable}::regclass`,
  );
}
