import type { IngestNode } from '../../ingest/ingest-database.ts';
import type { BucketMap, BucketPlace } from './bucket-map.ts';
import type { Placing } from './placed.ts';

/** A node of a cluster. */
export interface ClusterNode extends IngestNode {
  /** Resolves when leads of this shard can be written. */
  probeShard(shard: number): Promise<void>;
  /** The map as this node knows it. */
  readMap(): Promise<BucketMap | null>;
  close(): Promise<void>;
}

/** The map, as one node needs it. */
export interface NodeView {
  readonly groupId: number;
  /** Where this node is now, or was when it last had a shard. */
  readonly place: () => BucketPlace;
  readonly placeOf: (shard: number) => BucketPlace;
  /** The shards of this node. */
  readonly shards: () => readonly number[];
  /** Reads again where the shards are. */
  readonly locate: () => Promise<void>;
}

export function placingOf({
  placeOf,
  groupId,
  locate,
}: NodeView): Pick<Placing<never, never>, 'bucketOf' | 'isElsewhere'> {
  return {
    bucketOf: (shard) => placeOf(shard).bucket,
    isElsewhere: async (shards) => {
      const before = shards.map((shard) => placeOf(shard).bucket);
      await locate();
      // A split keeps the node and replaces the bucket.
      return shards.some((shard, i) => {
        const { groupId: group, bucket } = placeOf(shard);
        return group !== groupId || bucket !== before[i];
      });
    },
  };
}

/** The node may have been removed, so the map is read again when it fails. */
export async function askNode<T>({ locate }: NodeView, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    await locate().catch(() => {});
    throw error;
  }
}

/**
 * `commit` resolves when the node accepts commits. It may have got another address, such as that of its standby. Nobody
 * has to wait for a node that has no shards any more: it may have been removed.
 */
export async function probeNode({ locate, shards }: NodeView, commit: () => Promise<void>): Promise<void> {
  await locate().catch(() => {});
  if (shards().length > 0) await commit();
}
