import type { Clock } from '../../src/time/clock.ts';
import type { Act } from '../plan.ts';
import type { Cluster } from './cluster.ts';

type ClusterAct = Extract<Act, { kind: 'node' | 'move' | 'remove' }>;

/** What happens to the nodes and buckets of a cluster. */
export function performOnCluster(act: ClusterAct, cluster: Cluster, clock: Clock): void {
  switch (act.kind) {
    case 'node':
      disturbNode(act, cluster, clock);
      break;
    case 'move':
      cluster.close(act.bucket);
      clock.deadline(act.closedMs, () => {
        cluster.open(act.bucket);
        if (act.to !== null) cluster.move(act.bucket, cluster.groupAt(act.to));
      });
      break;
    case 'remove': {
      const groupId = cluster.groupAt(act.node);
      if (cluster.remove(groupId))
        clock.deadline(act.runsForMs, () => cluster.nodes.get(groupId)?.begin('down'));
    }
  }
}

function disturbNode(
  { node, fault, forMs }: Extract<Act, { kind: 'node' }>,
  cluster: Cluster,
  clock: Clock,
): void {
  const groupId = cluster.groupAt(node);
  const server = cluster.nodes.get(groupId);
  server?.begin(fault);
  clock.deadline(forMs, () => {
    if (!cluster.isRemoved(groupId)) server?.end(fault);
  });
}
