import { sql } from 'kysely';
import type pg from 'pg';
import { shardCount } from '../../../domain/workspace.ts';
import { onlyRow, rowsOf } from '../../sql.ts';
import { bucketsTable } from '../hot-tables.ts';

/** Where the rows of a shard are. */
export interface BucketPlace {
  readonly bucket: number;
  /** Of the node. It stays the same when the node gets another address. */
  readonly groupId: number;
  readonly host: string;
  readonly port: number;
}

/** By shard. */
export type BucketMap = readonly BucketPlace[];

const usualTimeoutMs = 2_000;

/** Null on a server whose leads are not distributed. Any node knows the map as well as the coordinator. */
export async function readBucketMap(db: pg.Pool, timeoutMs = usualTimeoutMs): Promise<BucketMap | null> {
  if (!(await isDistributed(db, timeoutMs))) return null;
  const map = await rowsOf(
    db,
    sql<BucketPlace>`select b.shardid::float8 as bucket, n.groupid as "groupId", n.nodename as host, n.nodeport as port
      from generate_series(0, ${shardCount}::int - 1) as shard
      join pg_dist_shard b on b.shardid = get_shard_id_for_distribution_column(${bucketsTable}, shard::smallint)
      join pg_dist_placement p on p.shardid = b.shardid
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      order by shard`,
    timeoutMs,
  );
  if (map.length !== shardCount)
    throw new Error(`the cluster has a place for ${map.length} of ${shardCount} shards`);
  return map;
}

export async function isDistributed(db: pg.Pool, timeoutMs?: number): Promise<boolean> {
  const { hasCitus } = await onlyRow(
    db,
    sql<{ hasCitus: boolean }>`select to_regclass('pg_dist_partition') is not null as "hasCitus"`,
    timeoutMs,
  );
  if (!hasCitus) return false;
  const { isDistributed } = await onlyRow(
    db,
    sql<{ isDistributed: boolean }>`select exists (
        select from pg_dist_partition where logicalrelid = to_regclass('leads')
      ) as "isDistributed"`,
    timeoutMs,
  );
  return isDistributed;
}
