import type { BucketMap } from '../../src/db/citus/nodes/bucket-map.ts';
import { shardCount } from '../../src/domain/workspace.ts';
import { refusal } from '../database/refusal.ts';
import type { Server } from '../database/server.ts';

/** How a plan's cluster is made. */
export interface ClusterShape {
  readonly nodes: number;
  /** The coordinator is one of the nodes. */
  readonly hasLeadsOnCoordinator: boolean;
  readonly shardsPerBucket: number;
  /** Leads go to nodes through the coordinator. */
  readonly isDelegated: boolean;
}

/**
 * The nodes of a cluster, and which buckets each of them has. All rows are in the tables of the coordinator: a node reaches
 * only those of its buckets, so a move changes nothing but the map.
 */
export class Cluster {
  readonly isDelegated: boolean;
  /** By group id. Group 0 is the coordinator. */
  readonly nodes: ReadonlyMap<number, Server>;
  readonly #shardsPerBucket: number;
  /** The group of each bucket. */
  readonly #groups: number[];
  readonly #closed = new Map<number, number>();
  readonly #removed = new Set<number>();

  constructor(shape: ClusterShape, coordinator: Server, openNode: (groupId: number) => Server) {
    this.isDelegated = shape.isDelegated;
    this.#shardsPerBucket = shape.shardsPerBucket;
    const first = shape.hasLeadsOnCoordinator ? 0 : 1;
    const groups = Array.from({ length: shape.nodes }, (_, place) => first + place);
    this.nodes = new Map(groups.map((groupId) => [groupId, groupId === 0 ? coordinator : openNode(groupId)]));
    this.#groups = Array.from(
      { length: Math.ceil(shardCount / shape.shardsPerBucket) },
      (_, bucket) => groups[bucket % groups.length] as number,
    );
  }

  /** The node in the given place of the plan. */
  groupAt(place: number): number {
    return [...this.nodes.keys()][place] as number;
  }

  serverOf(shard: number): Server {
    return this.#server(this.#groupOf(this.bucketOf(shard)));
  }

  bucketOf(shard: number): number {
    return Math.floor(shard / this.#shardsPerBucket);
  }

  get map(): BucketMap {
    return Array.from({ length: shardCount }, (_, shard) => {
      const bucket = this.bucketOf(shard);
      const groupId = this.#groupOf(bucket);
      return { bucket, groupId, host: 'node', port: groupId };
    });
  }

  /** True while one of the buckets is being moved, so that nobody can write to it. */
  areClosed(buckets: readonly number[]): boolean {
    return buckets.some((bucket) => this.#closed.has(bucket));
  }

  /** hold_buckets of migrations/0029_buckets.sql, once nothing is closed. */
  hold(server: Server, buckets: readonly number[]): void {
    if (buckets.some((bucket) => this.#server(this.#groupOf(bucket)) !== server))
      throw refusal('LG001', 'a bucket is on another node');
  }

  close(bucket: number): void {
    this.#closed.set(bucket, (this.#closed.get(bucket) ?? 0) + 1);
  }

  open(bucket: number): void {
    const times = (this.#closed.get(bucket) ?? 0) - 1;
    if (times > 0) this.#closed.set(bucket, times);
    else this.#closed.delete(bucket);
  }

  /** Both nodes have to take part. */
  move(bucket: number, groupId: number): void {
    const servers = [groupId, this.#groupOf(bucket)].map((group) => this.#server(group));
    if (servers.some(({ faults }) => faults.has('down')) || this.#removed.has(groupId)) return;
    this.#groups[bucket] = groupId;
  }

  /** Its buckets are on other nodes from now on. It never comes back. False for the last node, which cannot be removed. */
  remove(groupId: number): boolean {
    const left = [...this.nodes.keys()].filter((group) => group !== groupId && !this.#removed.has(group));
    if (left.length === 0 || groupId === 0 || this.#removed.has(groupId)) return false;
    this.#removed.add(groupId);
    for (const [bucket, group] of this.#groups.entries())
      if (group === groupId) this.#groups[bucket] = left[bucket % left.length] as number;
    return true;
  }

  isRemoved(groupId: number): boolean {
    return this.#removed.has(groupId);
  }

  #groupOf(bucket: number): number {
    return this.#groups[bucket] as number;
  }

  #server(groupId: number): Server {
    return this.nodes.get(groupId) as Server;
  }
}
