import type pg from 'pg';
import { type BucketMap, readBucketMap } from '../db/citus/nodes/bucket-map.ts';
import type { Clock } from '../time/clock.ts';

/** A node of a cluster, with the shards whose rows it has. */
export interface NodeShards {
  readonly groupId: number;
  readonly shards: readonly number[];
}

const ageMsMax = 10_000;

/** Where leads are stored: on one server, or on the nodes of a cluster. Read again from time to time. */
export class Nodes {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  #read: { readonly map: BucketMap | null; readonly at: number } | null = null;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async areSeveral(): Promise<boolean> {
    return (await this.#map()) !== null;
  }

  /** Null on one server. */
  async all(): Promise<NodeShards[] | null> {
    const map = await this.#map();
    if (map === null) return null;
    const placed = map.map(({ groupId }, shard) => ({ groupId, shard }));
    return [...Map.groupBy(placed, ({ groupId }) => groupId)].map(([groupId, places]) => ({
      groupId,
      shards: places.map(({ shard }) => shard),
    }));
  }

  async #map(): Promise<BucketMap | null> {
    const now = this.#clock.monotonic();
    if (this.#read === null || now - this.#read.at > ageMsMax)
      this.#read = { map: await readBucketMap(this.#pool), at: now };
    return this.#read.map;
  }
}
