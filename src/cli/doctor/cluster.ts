import { refuseNode, refuseOldVersion } from '../../db/citus/checks.ts';
import { type Cluster, type ClusterNode, type Layout, readLayout } from '../../db/citus/cluster.ts';
import { DistributionError } from '../../db/citus/distribution-error.ts';
import { countBuckets } from '../../db/citus/node-facts.ts';
import { nameOf } from '../../db/hosts/database-url.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { type Approach, checkNode, type ExaminedNode } from './node.ts';

const check = 'citus';

/** A server that is no coordinator, or whose Citus is too old. Nothing else can be examined there. */
export function checkCoordinator(cluster: Cluster): Finding[] {
  try {
    refuseNode(cluster);
    refuseOldVersion(cluster);
    return [];
  } catch (error) {
    if (!(error instanceof DistributionError)) throw error;
    return [fault(check, error.message, 'See docs/citus.md.')];
  }
}

/** After the migrations: where the tables of leads are, and each server that has some of them. */
export async function checkCluster(approach: Approach, { version, nodes }: Cluster): Promise<Finding[]> {
  const { pool } = approach;
  const layout = await readLayout(pool);
  const counts = await countBuckets(pool);
  const holders = nodes
    .map((node) => ({ node, buckets: counts.get(node.groupId) ?? 0 }))
    .filter(({ node, buckets }) => node.holdsBuckets || buckets > 0);
  const unwell = [...checkTables(layout), ...checkCoordinatorHost(nodes)];
  const summary = `Citus ${version}: ${layout.buckets} buckets on ${holders.length === 1 ? '1 node' : `${holders.length} nodes`}.`;
  const findings = [...(unwell.length > 0 ? unwell : [ok(check, summary)]), ...checkBalance(holders)];
  for (const holder of holders) findings.push(...(await checkNode(approach, holder)));
  return findings;
}

function checkTables({ local, elsewhere, distributed }: Layout): Finding[] {
  if (elsewhere.length > 0)
    return [
      fault(
        check,
        `Not distributed together with the table buckets: ${elsewhere.join(', ')}.`,
        'select undistribute_table(...) for each of them, then leadgate migrate.',
      ),
    ];
  if (local.length === 0) return [];
  const isPart = distributed.length > 0;
  const text = isPart
    ? `Not distributed: ${local.join(', ')}.`
    : 'Citus is installed, but all leads are on the coordinator.';
  return [(isPart ? fault : warning)(check, text, 'leadgate migrate')];
}

/** Nodes connect to the coordinator, too. */
function checkCoordinatorHost(nodes: readonly ClusterNode[]): Finding[] {
  const coordinator = nodes.find(({ groupId }) => groupId === 0);
  const hosts = new Set(nodes.map(({ host }) => host));
  if (coordinator !== undefined && (coordinator.host !== 'localhost' || hosts.size === 1)) return [];
  return [
    warning(
      check,
      coordinator === undefined
        ? 'The nodes do not know the coordinator.'
        : 'The nodes know the coordinator as localhost, which is another server for each of them.',
      "select citus_set_coordinator_host('its address', 5432); on the coordinator.",
    ),
  ];
}

function checkBalance(holders: readonly ExaminedNode[]): Finding[] {
  const total = holders.reduce((sum, { buckets }) => sum + buckets, 0);
  if (total === 0) return [];
  const mean = total / holders.length;
  const named = (chosen: readonly ExaminedNode[]) => chosen.map(({ node }) => nameOf(node)).join(', ');
  const empty = holders.filter(({ buckets }) => buckets === 0);
  const full = holders.filter(({ buckets }) => buckets >= 2 * mean && holders.length > 1);
  const fix = 'select citus_rebalance_start(); on the coordinator.';
  return [
    ...(empty.length > 0 ? [warning('buckets', `No bucket is on ${named(empty)}.`, fix)] : []),
    ...(full.length > 0
      ? [warning('buckets', `Twice as many buckets as the average are on ${named(full)}.`, fix)]
      : []),
  ];
}
