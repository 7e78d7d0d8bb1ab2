import type pg from 'pg';
import { atHost, nameOf } from '../../hosts/database-url.ts';
import type { IngestNode } from '../../ingest/ingest-database.ts';
import type { CitusRoute } from '../route.ts';
import { type BucketMap, type BucketPlace, readBucketMap } from './bucket-map.ts';
import { CitusNode } from './citus-node.ts';

export interface LocationsDeps {
  /** Of the server, or of the coordinator. */
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly route: CitusRoute;
  readonly deadlineMs: number;
  /** Stores all leads until it is known that they are distributed. */
  readonly alone: IngestNode;
}

const coordinatorGroup = 0;
const mapTimeoutMs = 2_000;

/**
 * Where the leads of each shard are stored.
 *
 *   alone        PostgreSQL without Citus, tables that are not distributed yet, or a start without the database: one node
 *   distributed  a map of buckets, read from the coordinator, or from a node while that is away. It is read again when a
 *                node says that it does not have a bucket, and each time a node that does not respond is probed
 */
export class Locations {
  readonly #deps: LocationsDeps;
  readonly #nodes = new Map<number, CitusNode>();
  #map: BucketMap | null = null;
  #reading: Promise<void> | null = null;

  constructor(deps: LocationsDeps) {
    this.#deps = deps;
  }

  nodeOf(shard: number): IngestNode {
    return this.#map === null ? this.#deps.alone : this.#node(this.#placeOf(shard).groupId);
  }

  /** The same for all shards unless leads are distributed. */
  bucketOf(shard: number): number {
    return this.#map?.[shard]?.bucket ?? 0;
  }

  async probeShard(shard: number): Promise<void> {
    if (this.#map === null) return this.#deps.alone.probe();
    await this.locate().catch(() => {});
    await this.#node(this.#placeOf(shard).groupId).probeShard(shard);
  }

  /** Finds out where the leads are. Those who ask at the same time get the same answer. */
  locate(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  get isDistributed(): boolean {
    return this.#map !== null;
  }

  async close(): Promise<void> {
    for (const node of this.#nodes.values()) await node.close();
  }

  async #read(): Promise<void> {
    const map = await this.#readAnywhere();
    // Tables stay distributed; a server without them is one that was not asked to the end.
    if (map !== null) this.#map = map;
  }

  async #readAnywhere(): Promise<BucketMap | null> {
    const { pool } = this.#deps;
    try {
      return await readBucketMap(pool, mapTimeoutMs);
    } catch (error) {
      // With delegation, the coordinator is the only way to the nodes, too.
      if (this.#deps.route === 'coordinator') throw error;
      const asked = [...this.#nodes.values()].map((node) => readBucketMap(node.pool, mapTimeoutMs));
      return Promise.any(asked).catch(() => {
        throw error;
      });
    }
  }

  #node(groupId: number): CitusNode {
    const known = this.#nodes.get(groupId);
    if (known !== undefined) return known;
    const { databaseUrl, pool, route, deadlineMs } = this.#deps;
    const isDelegated = route === 'coordinator';
    const isCoordinator = groupId === coordinatorGroup;
    const place = () => this.#map?.find((each) => each.groupId === groupId);
    let last = place();
    const current = () => {
      last = place() ?? last;
      return last as BucketPlace;
    };
    const node = new CitusNode({
      groupId,
      databaseUrl: () =>
        isDelegated || isCoordinator ? databaseUrl : atHost(databaseUrl, current().host, current().port),
      address: () => nameOf(current()),
      pool: isDelegated || isCoordinator ? pool : null,
      deadlineMs,
      placeOf: (shard) => this.#placeOf(shard),
      shards: () => (this.#map ?? []).flatMap((place, shard) => (place.groupId === groupId ? shard : [])),
      locate: () => this.locate(),
    });
    this.#nodes.set(groupId, node);
    return node;
  }

  #placeOf(shard: number): BucketPlace {
    return this.#map?.[shard] as BucketPlace;
  }
}
