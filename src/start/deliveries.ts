import type { Channels } from '../channels/channels.ts';
import { postgresDeliver } from '../db/deliver/postgres-deliver.ts';
import { DeliveryEngine } from '../deliver/engine.ts';
import { systemRandomness } from '../time/randomness.ts';
import type { CommonParts, CommonPartsDeps } from './common-parts.ts';
import { hasRole } from './roles.ts';
import type { Stops } from './stops.ts';

export interface DeliveriesDeps extends CommonPartsDeps {
  readonly channels: Channels;
  readonly publicUrl: () => string;
}

/** Sends deliveries, unless the operator has turned that off. They wait then. */
export function startDeliveries(deps: DeliveriesDeps, parts: CommonParts, stops: Stops): void {
  const { config, clock, log, channels, publicUrl } = deps;
  const { pool, secretBox, metrics, plane } = parts;
  const engine = new DeliveryEngine({
    database: postgresDeliver(pool, clock),
    channels,
    secretBox,
    clock,
    randomness: systemRandomness,
    log,
    meter: metrics.deliveries,
    publicUrl,
    isBusy: plane.isBusy,
  });
  metrics.deliveries.watch(engine);
  if (!hasRole(config, 'deliver') || config.deliverNetwork === 'off') return;
  stops.add(() => engine.stop());
  void parts.database.ready.then(() => engine.start());
}
