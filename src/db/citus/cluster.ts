import { sql } from 'kysely';
import type pg from 'pg';
import { firstRow, onlyRow, rowsOf } from '../sql.ts';
import { bucketsTable, hotTables } from './hot-tables.ts';

/** The pool, or any connection. */
type Connection = pg.Pool | pg.ClientBase;

/** A server of the cluster, as the coordinator knows it. */
export interface ClusterNode {
  readonly nodeId: number;
  readonly groupId: number;
  readonly host: string;
  readonly port: number;
  /** False for a node that is to hold no buckets: the coordinator by default, or a node that is being emptied. */
  readonly holdsBuckets: boolean;
  readonly hasMetadata: boolean;
}

/** The database of a server with Citus. Group 0 is the coordinator. */
export interface Cluster {
  readonly version: string;
  readonly groupId: number;
  readonly nodes: readonly ClusterNode[];
}

/** Null without Citus in this database. */
export async function readCluster(db: Connection): Promise<Cluster | null> {
  const extension = await firstRow(
    db,
    sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`,
  );
  if (extension === null) return null;
  const { groupId } = await onlyRow(
    db,
    sql<{ groupId: number }>`select groupid as "groupId" from pg_dist_local_group`,
  );
  const nodes = await rowsOf(
    db,
    sql<ClusterNode>`select nodeid as "nodeId", groupid as "groupId", nodename as host, nodeport as port,
        shouldhaveshards as "holdsBuckets", hasmetadata and metadatasynced as "hasMetadata"
      from pg_dist_node where noderole = 'primary' and isactive order by nodeid`,
  );
  return { version: extension.version, groupId, nodes };
}

/** What is distributed, and what is not. */
export interface Layout {
  /** How many buckets there are; 0 before the first distribution. */
  readonly buckets: number;
  readonly distributed: readonly string[];
  readonly local: readonly string[];
  /** Hot tables that are distributed, but not by the buckets of the others. */
  readonly elsewhere: readonly string[];
}

/** Only on a server with Citus. */
export async function readLayout(db: Connection): Promise<Layout> {
  const { buckets } = await onlyRow(
    db,
    sql<{ buckets: number }>`select count(*)::int as buckets from pg_dist_shard
      where logicalrelid = to_regclass(${bucketsTable})`,
  );
  const tables = await rowsOf(
    db,
    sql<{ name: string; isDistributed: boolean; isColocated: boolean }>`select t.name,
        p.logicalrelid is not null as "isDistributed",
        coalesce(p.colocationid = b.colocationid, false) as "isColocated"
      from unnest(${[...hotTables]}::text[]) with ordinality as t (name, place)
      left join pg_dist_partition p on p.logicalrelid = to_regclass(t.name)
      left join pg_dist_partition b on b.logicalrelid = to_regclass(${bucketsTable})
      where to_regclass(t.name) is not null order by t.place`,
  );
  const namesOf = (found: typeof tables) => found.map(({ name }) => name);
  return {
    buckets,
    distributed: namesOf(tables.filter(({ isColocated }) => isColocated)),
    local: namesOf(tables.filter(({ isDistributed }) => !isDistributed)),
    elsewhere: namesOf(tables.filter(({ isDistributed, isColocated }) => isDistributed && !isColocated)),
  };
}
