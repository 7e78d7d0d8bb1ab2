import type { IngestDatabase, IngestNode } from '../../db/ingest/ingest-database.ts';
import { shardCount } from '../../domain/workspace.ts';
import type { Loop } from '../../time/clock.ts';
import { Circuit, type CircuitDeps } from './circuit.ts';
import { PerNode } from './per-node.ts';

export interface CircuitsDeps extends Pick<CircuitDeps, 'clock' | 'log'> {
  readonly database: Pick<IngestDatabase, 'nodeOf' | 'bucketOf' | 'probeShard'>;
  /** Makes the database ready for the service. Does nothing the second time. */
  readonly prepareDatabase: () => Promise<void>;
}

export interface NodeState {
  readonly address: string;
  readonly isAvailable: boolean;
}

const watchPauseMs = 5_000;

/**
 * Whether the leads of a shard go to PostgreSQL: one circuit per node, so that the loss of a node affects nobody else, and
 * one for each bucket that is being moved, so that nobody waits for the move. A node of a cluster is also probed now and
 * then, because there may be no lead for it that would find it down.
 */
export class Circuits {
  readonly #deps: CircuitsDeps;
  readonly #nodes: PerNode<Circuit>;
  readonly #buckets = new Map<number, Circuit>();
  /** Nodes whose last probe failed although their circuit is closed. A busy node may miss one. */
  readonly #suspects = new Set<IngestNode>();
  #watching: Loop | null = null;
  #isStopped = false;

  constructor(deps: CircuitsDeps) {
    this.#deps = deps;
    this.#nodes = new PerNode((node) => {
      const probe = async () => {
        await deps.prepareDatabase();
        await node.probe();
      };
      return new Circuit({ ...deps, name: () => nameOf(node), probe });
    });
  }

  start(): void {
    this.#watching = this.#deps.clock.repeat(() => this.#watch(), {
      pauseMs: watchPauseMs,
      pauseFirst: true,
    });
  }

  /** Of the node that has this shard. */
  of(shard: number): Circuit {
    return this.#nodes.of(this.#deps.database.nodeOf(shard));
  }

  trip(node: IngestNode, error: unknown): void {
    this.#nodes.of(node).trip(error);
  }

  isOpen(shard: number): boolean {
    return this.of(shard).isOpen || this.#buckets.get(this.#deps.database.bucketOf(shard))?.isOpen === true;
  }

  /** The bucket of the shard cannot be written to for a while, although its node can. */
  close(shard: number): void {
    // The drain stops later, and nobody would stop what begins now.
    if (this.#isStopped) return;
    const bucket = this.#deps.database.bucketOf(shard);
    const known = this.#buckets.get(bucket);
    const circuit = known ?? this.#circuitOf(bucket, shard);
    if (known === undefined) this.#buckets.set(bucket, circuit);
    circuit.trip(new Error('the bucket is being moved or split'));
  }

  /** For a start without a database. */
  tripAll(error: unknown): void {
    for (let shard = 0; shard < shardCount; shard++) this.of(shard).trip(error);
  }

  /** Of the nodes of a cluster. */
  get nodes(): NodeState[] {
    return [...this.#inUse].flatMap((node) => {
      const { address } = node;
      return address === null ? [] : { address, isAvailable: !this.#nodes.of(node).isOpen };
    });
  }

  /** True while one node at least accepts no leads. */
  get isAnyOpen(): boolean {
    return [...this.#inUse].some((node) => this.#nodes.of(node).isOpen);
  }

  /** True while no node accepts leads. */
  get areAllOpen(): boolean {
    return [...this.#inUse].every((node) => this.#nodes.of(node).isOpen);
  }

  /** Without nodes that had shards once, like the one that stands for a database that is not known yet. */
  get #inUse(): Set<IngestNode> {
    const nodes = new Set<IngestNode>();
    for (let shard = 0; shard < shardCount; shard++) nodes.add(this.#deps.database.nodeOf(shard));
    return nodes;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#watching?.stop();
    await Promise.all([...this.#nodes.all, ...this.#buckets.values()].map((circuit) => circuit.stop()));
  }

  async #watch(): Promise<void> {
    const watched = [...this.#inUse].filter((node) => node.address !== null && !this.#nodes.of(node).isOpen);
    await Promise.all(watched.map((node) => this.#look(node)));
  }

  async #look(node: IngestNode): Promise<void> {
    try {
      await node.probe();
      this.#suspects.delete(node);
    } catch (error) {
      if (this.#suspects.delete(node)) this.trip(node, error);
      else this.#suspects.add(node);
    }
  }

  #circuitOf(bucket: number, shard: number): Circuit {
    const probe = () => this.#deps.database.probeShard(shard);
    return new Circuit({ ...this.#deps, name: () => `Bucket ${bucket}`, probe });
  }
}

/** At the beginning of a sentence. */
function nameOf({ address }: IngestNode): string {
  return address === null ? 'PostgreSQL' : `Node ${address}`;
}
