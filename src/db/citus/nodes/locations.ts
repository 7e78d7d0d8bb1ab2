import type { IngestNode } from '../../ingest/ingest-database.ts';
import type { BucketMap, BucketPlace } from './bucket-map.ts';
import type { ClusterNode, NodeView } from './cluster-node.ts';

export interface LocationsDeps {
  /** Stores all leads until it is known that they are distributed. */
  readonly alone: IngestNode;
  /** The map as the coordinator knows it; null while leads are not distributed. */
  readonly readMap: () => Promise<BucketMap | null>;
  /** True when the coordinator is the only way to the nodes. */
  readonly isDelegated: boolean;
  readonly openNode: (view: NodeView) => ClusterNode;
}

/**
 * Where the leads of each shard are stored.
 *
 *   alone        PostgreSQL without Citus, tables that are not distributed yet, or a start without the database: one node
 *   distributed  a map of buckets, read from the coordinator, or from a node while that is away. It is read again when a
 *                node says that it does not have a bucket, and each time a node that does not respond is probed
 */
export class Locations {
  readonly #deps: LocationsDeps;
  readonly #nodes = new Map<number, ClusterNode>();
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
    const { readMap, isDelegated } = this.#deps;
    try {
      return await readMap();
    } catch (error) {
      if (isDelegated) throw error;
      return Promise.any([...this.#nodes.values()].map(mapOf)).catch(() => {
        throw error;
      });
    }
  }

  #node(groupId: number): ClusterNode {
    const known = this.#nodes.get(groupId);
    if (known !== undefined) return known;
    const node = this.#deps.openNode(this.#viewOf(groupId));
    this.#nodes.set(groupId, node);
    return node;
  }

  #viewOf(groupId: number): NodeView {
    const current = () => this.#map?.find((each) => each.groupId === groupId);
    let last = current();
    return {
      groupId,
      place: () => {
        last = current() ?? last;
        return last as BucketPlace;
      },
      placeOf: (shard) => this.#placeOf(shard),
      shards: () => (this.#map ?? []).flatMap((place, shard) => (place.groupId === groupId ? shard : [])),
      locate: () => this.locate(),
    };
  }

  #placeOf(shard: number): BucketPlace {
    return this.#map?.[shard] as BucketPlace;
  }
}

/** A node that was removed from the cluster responds too, and knows no map. */
async function mapOf(node: ClusterNode): Promise<BucketMap> {
  const map = await node.readMap();
  if (map === null) throw new Error('the node is not part of the cluster');
  return map;
}
