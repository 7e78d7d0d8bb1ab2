import { sql } from 'kysely';
import type pg from 'pg';
import { rowsOf } from '../sql.ts';
import type { Cluster, Layout } from './cluster.ts';
import { DistributionError, NodeAwayError } from './distribution-error.ts';
import { bucketsTable } from './hot-tables.ts';

// The oldest for which its makers still publish fixes for PostgreSQL 15 and newer.
const versionMin = [12, 1] as const;

/** Throws on a node, where neither migrations nor leads belong. */
export function refuseNode({ groupId, nodes }: Cluster): void {
  if (groupId === 0) return;
  const own = nodes.find((node) => node.groupId === groupId);
  const coordinator = nodes.find((node) => node.groupId === 0);
  throw new DistributionError(
    `DATABASE_URL is ${own === undefined ? 'a node' : `node ${own.host}:${own.port}`} of a Citus cluster. Point it at the coordinator${coordinator === undefined ? '' : `, ${coordinator.host}:${coordinator.port}`}.`,
  );
}

export function refuseOtherLayouts({ elsewhere }: Layout): void {
  if (elsewhere.length === 0) return;
  throw new DistributionError(
    `These tables are distributed, but not together with ${bucketsTable}: ${elsewhere.join(', ')}. Undo that with select undistribute_table(...) for each, then run leadgate migrate again.`,
  );
}

export function refuseOldVersion({ version }: Cluster): void {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  if (major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1])) return;
  throw new DistributionError(
    `Citus ${version} is too old. Update it to ${versionMin.join('.')} or newer on every server.`,
  );
}

/** Asks all servers first, because the transaction that follows locks tables. */
export async function refuseSilentNodes(client: pg.ClientBase): Promise<void> {
  const silent = await rowsOf(
    client,
    sql<{ node: string; cause: string }>`select n.nodename || ':' || n.nodeport as node, a.result as cause
      from run_command_on_all_nodes('select 1') as a join pg_dist_node n using (nodeid)
      where not a.success order by nodeid`,
  );
  if (silent.length === 0) return;
  const each = silent.map(({ node, cause }) => `Node ${node} does not respond to the coordinator: ${cause}.`);
  throw new NodeAwayError(
    `${each.join(' ')} Start it, or remove it with citus_remove_node, then run leadgate migrate again. Nothing was distributed.`,
  );
}
