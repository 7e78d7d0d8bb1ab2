import type { Finding } from '../finding.ts';
import type { World } from '../world.ts';

/** Every instance has noticed by then that something was wrong: a drain waits longest for its result. */
const noticedMs = 6_000;

/** Leads of a node go to the spool only when something was wrong with that node, or with the coordinator in between. */
export function checkTrips({ trips, cluster, server, plan }: World): Finding[] {
  if (cluster === null) return [];
  // The coordinator finds moved buckets by itself, so nobody knows which node is down.
  if (cluster.isDelegated && plan.acts.some(({ kind }) => kind === 'move' || kind === 'remove')) return [];
  return trips.flatMap(({ life, address, at, isPrepared }) => {
    const groupId = Number(address.split(':')[1]);
    const isWaitingForCoordinator = cluster.isDelegated || !isPrepared;
    const servers = [cluster.nodes.get(groupId), isWaitingForCoordinator ? server : undefined];
    if (servers.some((each) => each?.wasInTrouble(at - noticedMs, at))) return [];
    return {
      kind: 'spread',
      text: `instance ${life} stores no leads on node ${groupId} at ${at}, which works`,
    };
  });
}
