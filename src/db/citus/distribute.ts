import { sql } from 'kysely';
import type pg from 'pg';
import { onlyRow, rowsOf, run } from '../sql.ts';
import { atomically } from './atomically.ts';
import { bucketsUsual, createBuckets } from './buckets.ts';
import { refuseOldVersion, refuseOtherLayouts, refuseUnfitNodes } from './checks.ts';
import { type Cluster, type ClusterNode, readLayout } from './cluster.ts';
import { DistributionError, explained } from './distribution-error.ts';
import { delegateFunctions, distributeFunctions } from './functions.ts';
import { bucketsTable } from './hot-tables.ts';

/*
 * How a database becomes distributed. The caller has the lock of migrate, so only one process does this at a time.
 *
 *   local        no hot table is distributed. `buckets` may exist, whole or half made: nobody uses it.
 *   divided      `buckets` has been created and split. From here all in one transaction:
 *                hot tables locked against writes, each one distributed with its rows, functions copied to the nodes.
 *   distributed  all hot tables are. Local copies of their rows may be left, which nobody sees: they are removed next.
 *
 * A process that is killed leaves one of these states, and the next run continues from there. A table that a later version
 * adds makes the step from "divided" alone.
 */

const deadlockTriesMax = 5;

export interface DistributeOptions {
  /** 32 unless told otherwise. Only used before the first distribution. */
  readonly buckets?: number | undefined;
  /** Whether to distribute tables that have rows, which takes time during which nothing is written to them. */
  readonly isCopying: boolean;
  readonly tell: (step: DistributionStep) => void;
}

export type DistributionStep =
  | { readonly kind: 'buckets'; readonly count: number; readonly nodes: readonly ClusterNode[] }
  | { readonly kind: 'waiting'; readonly tables: readonly string[] }
  | { readonly kind: 'copying'; readonly table: string; readonly rows: number }
  | { readonly kind: 'copied'; readonly table: string; readonly rows: number }
  | { readonly kind: 'cleaning'; readonly tables: readonly string[] };

export type Distribution =
  | { readonly state: 'distributed'; readonly buckets: number; readonly added: readonly string[] }
  /** The hot tables are local, as on plain PostgreSQL, and work. */
  | { readonly state: 'local'; readonly why: 'filled' | 'no nodes' };

/** On the coordinator, after the migrations. May be repeated. */
export async function distribute(
  client: pg.ClientBase,
  cluster: Cluster,
  options: DistributeOptions,
): Promise<Distribution> {
  try {
    const layout = await readLayout(client);
    refuseOtherLayouts(layout);
    if (layout.local.length > 0) {
      const nodes = cluster.nodes.filter(({ holdsBuckets }) => holdsBuckets);
      if (nodes.length === 0) return { state: 'local', why: 'no nodes' };
      if (!options.isCopying && (await haveRows(client, layout.local)))
        return { state: 'local', why: 'filled' };
      refuseOldVersion(cluster);
      await refuseUnfitNodes(client);
      if (layout.distributed.length === 0) await divide(client, nodes, options);
    }
    await untilNoDeadlock(() => distributeAll(client, layout.local, options));
    await removeLocalCopies(client, options);
    const { buckets } = await readLayout(client);
    return { state: 'distributed', buckets, added: layout.local };
  } catch (error) {
    throw explained(error);
  }
}

async function divide(
  client: pg.ClientBase,
  nodes: readonly ClusterNode[],
  { buckets = bucketsUsual, tell }: DistributeOptions,
): Promise<void> {
  tell({ kind: 'buckets', count: buckets, nodes });
  await createBuckets(client, buckets, nodes);
}

async function haveRows(client: pg.ClientBase, tables: readonly string[]): Promise<boolean> {
  const each = tables.map((name) => sql`exists (select from ${sql.table(name)})`);
  const { isFilled } = await onlyRow(
    client,
    sql<{ isFilled: boolean }>`select ${sql.join(each, sql` or `)} as "isFilled"`,
  );
  return isFilled;
}

async function distributeAll(
  client: pg.ClientBase,
  tables: readonly string[],
  { tell }: DistributeOptions,
): Promise<void> {
  await atomically(client, async () => {
    // One connection per node, so that functions can follow in the transaction that has copied rows.
    await run(client, sql`set local citus.multi_shard_modify_mode = 'sequential'`);
    if (tables.length > 0) {
      tell({ kind: 'waiting', tables });
      await run(client, sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in exclusive mode`);
    }
    for (const name of tables) await distributeTable(client, name, tell);
    await distributeFunctions(client);
    await delegateFunctions(client);
  });
}

async function distributeTable(
  client: pg.ClientBase,
  table: string,
  tell: DistributeOptions['tell'],
): Promise<void> {
  const rows = await countRows(client, table);
  tell({ kind: 'copying', table, rows });
  await run(
    client,
    sql`select create_distributed_table(${table}, 'shard', colocate_with => ${bucketsTable})`,
  );
  // Counted on the nodes from here on.
  const copied = await countRows(client, table);
  if (copied !== rows)
    throw new DistributionError(
      `The nodes have ${copied} of the ${rows} rows of ${table}. Nothing was distributed.`,
    );
  tell({ kind: 'copied', table, rows });
}

async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await onlyRow(
    client,
    sql<{ rows: number }>`select count(*)::float8 as rows from ${sql.table(table)}`,
  );
  return rows;
}

/** The rows that the coordinator had. Distributed tables do not show them, but they still take space on its disk. */
async function removeLocalCopies(client: pg.ClientBase, { tell }: DistributeOptions): Promise<void> {
  const { distributed } = await readLayout(client);
  const left = await rowsOf(
    client,
    sql<{ name: string }>`select name from unnest(${[...distributed]}::text[]) as name
      where pg_relation_size(name::regclass) > 0`,
  );
  if (left.length === 0) return;
  const tables = left.map(({ name }) => name);
  tell({ kind: 'cleaning', tables });
  for (const name of tables) {
    await run(client, sql`select truncate_local_data_after_distributing_table(${name}::regclass)`);
    // The nodes know nothing about the rows that were copied to them, so their first plans would be poor.
    await run(client, sql`analyze ${sql.table(name)}`);
  }
}

/** Writers take their locks in another order than we do. */
async function untilNoDeadlock(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== '40P01' || tries === deadlockTriesMax) throw error;
    }
  }
}
