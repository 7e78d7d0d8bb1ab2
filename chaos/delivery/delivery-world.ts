import { join } from 'node:path';
import { FeedReader } from '../../bench/delivery/feed-reader.ts';
import { Random } from '../../src/time/random.ts';
import type { Sender } from '../load/order.ts';
import type { Instance } from '../world/instance.ts';
import { createDestinations, type Destination } from './destinations.ts';
import { Eraser } from './eraser.ts';
import { Receivers } from './receivers.ts';

/** What takes part in scenarios with destinations, besides the instances and their senders. */
export class DeliveryWorld {
  readonly destinations: readonly Destination[];
  readonly receivers: Receivers;
  readonly readers: readonly FeedReader[];
  readonly eraser: Eraser;

  private constructor(
    destinations: readonly Destination[],
    receivers: Receivers,
    readers: readonly FeedReader[],
    eraser: Eraser,
  ) {
    this.destinations = destinations;
    this.receivers = receivers;
    this.readers = readers;
    this.eraser = eraser;
  }

  static async create(
    dir: string,
    instances: readonly Instance[],
    senders: readonly Sender[],
    random: Random,
  ): Promise<DeliveryWorld> {
    const own = () => new Random(random.integer(1, 2 ** 30));
    const ports = instances.map(({ port }) => port);
    const receivers = await Receivers.start(own(), join(dir, 'receipts.ndjson'));
    const destinations = await createDestinations(ports[0] as number, senders, receivers);
    const readers = senders.map(({ workspaceId }) => new FeedReader(workspaceId, ports, own()));
    return new DeliveryWorld(destinations, receivers, readers, new Eraser(senders, ports, own()));
  }

  start(): void {
    for (const reader of this.readers) reader.start();
    this.eraser.start();
  }

  close(): Promise<void> {
    return this.receivers.close();
  }
}
