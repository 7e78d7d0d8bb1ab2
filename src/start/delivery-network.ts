import type { Config } from '../config.ts';
import { portsOf } from '../db/hosts/clients.ts';
import { DeliveryHttp } from '../net/delivery/delivery-http.ts';
import { DeliveryGuard } from '../net/delivery/guard.ts';
import { type Egress, systemEgress } from '../net/egress.ts';
import type { Clock } from '../time/clock.ts';

export interface DeliveryNetworkDeps {
  readonly config: Pick<Config, 'deliverNetwork' | 'deliverAllow' | 'port' | 'metricsPort' | 'publicUrl'>;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly egress?: Egress | undefined;
  /** The port that the service listens on, which is not that of the configuration if that is 0. */
  readonly listenerPort: () => number;
}

/** How leads leave: within what the operator allows, and never to this service itself. */
export function createDeliveryHttp(deps: DeliveryNetworkDeps): DeliveryHttp {
  const { deliverNetwork, deliverAllow, port, metricsPort } = deps.config;
  const guard = new DeliveryGuard({
    allow: deliverAllow,
    ownPorts: () => [port, deps.listenerPort(), ...(metricsPort === null ? [] : [metricsPort])],
    publicUrl: deps.config.publicUrl,
    databasePorts: portsOf(deps.databaseUrl),
  });
  const { egress = systemEgress, clock } = deps;
  return new DeliveryHttp({ isOn: deliverNetwork !== 'off', guard, egress, clock });
}
