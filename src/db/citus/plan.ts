import { sql } from 'kysely';
import type pg from 'pg';
import { pendingMigrations } from '../pending-migrations.ts';
import { rowsOf } from '../sql.ts';
import { refuseNode, refuseOldVersion, refuseOtherLayouts } from './checks.ts';
import { type Cluster, type ClusterNode, readCluster, readLayout } from './cluster.ts';
import { hotTables } from './hot-tables.ts';

/** A table that would be distributed. Its rows are an estimate. */
interface PlannedTable {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface MigrationPlan {
  readonly pending: readonly string[];
  /** Null on plain PostgreSQL. */
  readonly distribution: {
    readonly nodes: readonly ClusterNode[];
    readonly hasBuckets: boolean;
    readonly tables: readonly PlannedTable[];
  } | null;
}

/** What migrate would do. Changes nothing. */
export async function readPlan(pool: pg.Pool): Promise<MigrationPlan> {
  const cluster = await readCluster(pool);
  if (cluster !== null) refuseNode(cluster);
  const pending = await pendingMigrations(pool);
  return { pending, distribution: cluster === null ? null : await readDistributionPlan(pool, cluster) };
}

async function readDistributionPlan(pool: pg.Pool, cluster: Cluster) {
  refuseOldVersion(cluster);
  const layout = await readLayout(pool);
  refuseOtherLayouts(layout);
  // Those that the pending migrations create are missing yet.
  const planned = hotTables.filter((name) => !layout.distributed.includes(name));
  const tables = await rowsOf(
    pool,
    sql<PlannedTable>`select name, greatest(coalesce(c.reltuples, 0), 0)::float8 as rows,
        coalesce(pg_table_size(c.oid), 0)::float8 as bytes
      from unnest(${[...planned]}::text[]) with ordinality as t (name, place)
      left join pg_class c on c.oid = to_regclass(t.name) order by place`,
  );
  return {
    nodes: cluster.nodes.filter(({ holdsBuckets }) => holdsBuckets),
    hasBuckets: layout.distributed.length > 0,
    tables,
  };
}
