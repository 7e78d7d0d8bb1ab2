import { pino } from 'pino';
import { webhookChannel } from '../../src/channels/webhook.ts';
import { DeliveryEngine } from '../../src/deliver/engine.ts';
import type { Loop } from '../../src/time/clock.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { type Asking, deliverDatabaseOf } from '../database/deliver/deliver-client.ts';
import { type RelayLocks, relayTurn } from '../database/deliver/relay-client.ts';
import { secretBox } from '../instance/instance.ts';
import type { Life } from '../life.ts';
import { deliveryShards, destinationId } from './destinations.ts';
import { messengersOf } from './messengers.ts';
import type { Receivers } from './receivers.ts';

export interface CourierDeps {
  readonly life: Life;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  readonly locks: RelayLocks;
  readonly receivers: Receivers;
}

const relayMs = 500;
const log = pino({ level: 'silent' });
const nothing = () => {};

/** One process of the role `deliver`: the real engine, and the relay of the database model. */
export class Courier {
  readonly life: Life;
  readonly #engine: DeliveryEngine;
  readonly #relays: readonly (() => Promise<void>)[];
  #loops: readonly Loop[] = [];

  constructor({ life, server, cluster, locks, receivers }: CourierDeps) {
    this.life = life;
    const asking: Asking = { server, cluster, life };
    const database = deliverDatabaseOf(asking, deliveryShards);
    const randomness = seededRandomness(life.random, life);
    const isLeased = (destination: number) => {
      const lease = server.tables.deliver.leases.get(destinationId(destination));
      // The clock of the database has no fractions of a millisecond.
      return lease?.instanceId === database.instanceId && life.now() <= lease.until;
    };
    this.#engine = new DeliveryEngine({
      database,
      channels: {
        webhook: webhookChannel({ post: (request) => receivers.post(life, request, isLeased) }, log),
        ...messengersOf((told, signal) => receivers.tell(life, told, isLeased, signal)),
      },
      secretBox,
      clock: life,
      randomness,
      log,
      meter: { onAttempt: nothing, onUnsent: nothing },
      publicUrl: () => null,
      isBusy: () => false,
    });
    this.#relays = [...(cluster === null ? [null] : cluster.nodes.keys())].map((groupId) => async () => {
      while (await relayTurn(asking, locks, groupId, () => randomness.uuid()));
    });
  }

  start(): void {
    this.#loops = this.#relays.map((relay) => this.life.repeat(relay, { pauseMs: relayMs }));
    this.#engine.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#engine.stop(), ...this.#loops.map((loop) => loop.stop())]);
  }
}
