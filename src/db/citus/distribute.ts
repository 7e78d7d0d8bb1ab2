import { sql } from 'kysely';
import type pg from 'pg';
import { run } from '../sql.ts';
import { atomically } from './atomically.ts';
import { createBuckets, usualBuckets } from './buckets.ts';
import { refuseOldVersion, refuseOtherLayouts, refuseSilentNodes } from './checks.ts';
import { type Cluster, type ClusterNode, type Layout, readLayout } from './cluster.ts';
import { DistributionError, explained, NodeAwayError } from './distribution-error.ts';
import { delegateFunctions, distributeFunctions } from './functions.ts';
import { distributeTables, haveRows, removeLocalCopies, type TableStep } from './tables.ts';

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
// A server that is busy copying notices within this time that our process was killed, and undoes it.
const killNoticedAfter = '5s';

export interface DistributeOptions {
  /** Four per node or more unless told otherwise. Only used before the first distribution. */
  readonly buckets?: number | undefined;
  /**
   * At a start of the service, which must not be kept waiting: tables with rows are left alone, and a
   * cluster that is not ready for distribution is no reason to fail.
   */
  readonly isAtStart: boolean;
  readonly tell: (step: DistributionStep) => void;
}

export type DistributionStep =
  | { readonly kind: 'buckets'; readonly count: number; readonly nodes: readonly ClusterNode[] }
  | TableStep;

export type Distribution =
  | { readonly state: 'distributed'; readonly buckets: number; readonly added: readonly string[] }
  /** The hot tables are local and work as on plain PostgreSQL. */
  | { readonly state: 'local'; readonly reason: 'filled' | 'no_nodes' | 'unfit'; readonly text: string };

const localTexts = {
  filled: 'the tables of leads have rows',
  no_nodes: 'Citus knows no node that may hold them',
} as const;

/** On the coordinator, after the migrations. May be repeated. */
export async function distribute(
  client: pg.ClientBase,
  cluster: Cluster,
  options: DistributeOptions,
): Promise<Distribution> {
  const layout = await readLayout(client);
  try {
    refuseOtherLayouts(layout);
    const reason = await reasonForLocal(client, cluster, layout, options);
    if (reason !== null) return { state: 'local', reason, text: localTexts[reason] };
    await run(client, sql`select set_config('client_connection_check_interval', ${killNoticedAfter}, false)`);
    if (layout.local.length > 0) await prepare(client, cluster, layout, options);
    await untilNoDeadlock(() => distributeAll(client, layout.local, options));
    await removeLocalCopies(client, options.tell);
    const { buckets } = await readLayout(client);
    return { state: 'distributed', buckets, added: layout.local };
  } catch (error) {
    const told = explained(error);
    const isBearable = options.isAtStart && layout.distributed.length === 0;
    if (isBearable && told instanceof DistributionError && !(told instanceof NodeAwayError))
      return { state: 'local', reason: 'unfit', text: told.message };
    throw told;
  }
}

async function reasonForLocal(
  client: pg.ClientBase,
  { nodes }: Cluster,
  { local, distributed }: Layout,
  { isAtStart }: DistributeOptions,
): Promise<keyof typeof localTexts | null> {
  if (local.length === 0) return null;
  if (distributed.length === 0 && !nodes.some(({ holdsBuckets }) => holdsBuckets)) return 'no_nodes';
  return isAtStart && (await haveRows(client, local)) ? 'filled' : null;
}

async function prepare(
  client: pg.ClientBase,
  cluster: Cluster,
  { distributed }: Layout,
  { buckets, tell }: DistributeOptions,
): Promise<void> {
  refuseOldVersion(cluster);
  await refuseSilentNodes(client);
  if (distributed.length > 0) return;
  const nodes = cluster.nodes.filter(({ holdsBuckets }) => holdsBuckets);
  const count = buckets ?? usualBuckets(nodes.length);
  tell({ kind: 'buckets', count, nodes });
  await createBuckets(client, count, nodes);
}

async function distributeAll(
  client: pg.ClientBase,
  tables: readonly string[],
  { tell }: DistributeOptions,
): Promise<void> {
  await atomically(client, async () => {
    await distributeTables(client, tables, tell);
    await distributeFunctions(client);
    await delegateFunctions(client);
  });
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
