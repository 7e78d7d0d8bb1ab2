import type { World } from '../world.ts';
import type { DeliveryWorld } from './delivery-world.ts';

/** What follows a failure may be late, or happen twice, within this time. */
export const afterFailureMs = 25_000;

/** Whether something failed shortly before a time, or within some time after it, on the monotonic scale. */
export function wasDisturbed(world: World, delivery: DeliveryWorld, atMs: number, forMs: number): boolean {
  const { disturbances, leaps } = delivery;
  const from = atMs - afterFailureMs;
  const to = atMs + forMs;
  const servers = [world.server, ...(world.cluster?.nodes.values() ?? [])];
  return (
    servers.some((server) => server.wasInTrouble(from, to)) ||
    disturbances.some((span) => span.from <= to && span.to >= from) ||
    leaps.some(({ at }) => at >= from && at <= to)
  );
}
