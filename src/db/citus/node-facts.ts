import { sql } from 'kysely';
import type pg from 'pg';
import { createClient } from '../hosts/clients.ts';
import { atHost } from '../hosts/database-url.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';
import type { ClusterNode } from './cluster.ts';
import { bucketsTable } from './hot-tables.ts';

/** What a server of a cluster says about itself. */
export interface NodeFacts {
  /** Null without Citus in this database. */
  readonly groupId: number | null;
  readonly isStandby: boolean;
  readonly now: Date;
  readonly walLevel: string;
  readonly preparedMax: number;
  /** Those that a role below superuser can have. */
  readonly connectionsMax: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
}

/** On a direct connection from here, as the ingest path opens them. */
export async function readNodeFacts(
  databaseUrl: string,
  node: ClusterNode,
  timeoutMs: number,
): Promise<NodeFacts> {
  const client = createClient({
    databaseUrl: atHost(databaseUrl, node.host, node.port),
    application_name: 'leadgate doctor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await onlyRow(
      client,
      sql<NodeFacts>`select (select groupid from pg_dist_local_group) as "groupId",
          pg_is_in_recovery() as "isStandby", clock_timestamp() as now,
          current_setting('wal_level') as "walLevel",
          current_setting('max_prepared_transactions')::int as "preparedMax",
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            as "connectionsMax",
          current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites"`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** How many buckets each group has. */
export async function countBuckets(pool: pg.Pool): Promise<ReadonlyMap<number, number>> {
  const counts = await rowsOf(
    pool,
    sql<{ groupId: number; buckets: number }>`select groupid as "groupId", count(*)::int as buckets
      from pg_dist_shard join pg_dist_placement using (shardid)
      where logicalrelid = to_regclass(${bucketsTable}) group by groupid`,
  );
  return new Map(counts.map(({ groupId, buckets }) => [groupId, buckets]));
}

/** Whether the coordinator reaches a node, as Citus does. */
export async function isReachedByCoordinator(
  pool: pg.Pool,
  { host, port }: ClusterNode,
  timeoutMs: number,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await run(client, sql`select set_config('citus.node_connection_timeout', ${String(timeoutMs)}, false)`);
    const { isReached } = await onlyRow(
      client,
      sql<{
        isReached: boolean;
      }>`select citus_check_connection_to_node(${host}, ${port}::int) as "isReached"`,
    );
    return isReached;
  } finally {
    // Not returned to the pool with its setting.
    client.release(true);
  }
}
