import type { IngestDatabase, IngestNode } from '../../../db/ingest/ingest-database.ts';
import { shardCount } from '../../../domain/workspace.ts';
import type { Loop } from '../../../time/clock.ts';
import type { Circuits } from '../../circuit/circuits.ts';
import { PerNode } from '../../circuit/per-node.ts';
import type { Spool } from '../spool.ts';
import { NodeDrain, type NodeDrainDeps } from './node-drain.ts';
import { PendingSegment } from './pending-segment.ts';

export interface DrainDeps
  extends Omit<NodeDrainDeps, 'database' | 'node' | 'isOwn' | 'onOutage' | 'onClosed' | 'isStopped'> {
  readonly spool: Spool;
  readonly circuits: Pick<Circuits, 'trip' | 'isOpen' | 'close'>;
  readonly database: Pick<IngestDatabase, 'nodeOf' | 'quarantine'>;
}

const pauseMs = 250;
const adoptEveryMs = 5_000;

/**
 * Moves leads from the spool to PostgreSQL, oldest first. Storing is idempotent and a segment is removed only when all of
 * it is stored, so a crash at any point loses and doubles nothing. Every few moments it looks for segments, and each node
 * that accepts leads drains its own at its own pace: no node waits for another one.
 */
export class Drain {
  readonly #deps: DrainDeps;
  readonly #nodes: PerNode<NodeDrain>;
  /** The nodes that are draining. */
  readonly #running = new Map<NodeDrain, Promise<void>>();
  #pending: PendingSegment[] = [];
  #loop: Loop | null = null;
  #isStopped = false;
  #adoptedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DrainDeps) {
    this.#deps = deps;
    this.#nodes = new PerNode((node) => this.#drainOf(node));
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#loop = clock.repeat(() => this.#look(), {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'spool drain failed; trying again'),
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop?.stop();
    await Promise.all(this.#running.values());
  }

  async #look(): Promise<void> {
    const nodes = this.#nodesThatAcceptLeads();
    if (nodes.size === 0) return;
    await this.#findSegments();
    for (const node of nodes) this.#begin(this.#nodes.of(node));
  }

  #nodesThatAcceptLeads(): Set<IngestNode> {
    const { circuits, database } = this.#deps;
    const nodes = new Set<IngestNode>();
    for (let shard = 0; shard < shardCount; shard++)
      if (!circuits.isOpen(shard)) nodes.add(database.nodeOf(shard));
    return nodes;
  }

  #begin(drain: NodeDrain): void {
    if (this.#isStopped || this.#running.has(drain) || this.#pending.length === 0) return;
    const round = drain
      .run(this.#pending)
      .catch((error) => this.#deps.log.warn({ err: error }, 'spool drain failed; trying again'))
      .finally(() => this.#running.delete(drain));
    this.#running.set(drain, round);
  }

  async #findSegments(): Promise<void> {
    const { spool, clock, circuits } = this.#deps;
    if (clock.monotonic() - this.#adoptedAt > adoptEveryMs) {
      this.#adoptedAt = clock.monotonic();
      await spool.adopt();
    }
    await spool.seal((shard) => !circuits.isOpen(shard));
    const known = new Map(this.#pending.map((segment) => [segment.path, segment]));
    const found: PendingSegment[] = [];
    for (const folder of spool.folders) {
      const segments = (await folder.segments()).filter((name) => !spool.isGrowing(folder, name));
      for (const name of segments) {
        const segment = new PendingSegment(folder, name);
        found.push(known.get(segment.path) ?? segment);
      }
      // A folder with leads left stays ours: they are in stock, and taking it over again would count them twice.
      if (segments.length === 0) await spool.release(folder);
    }
    this.#pending = found;
  }

  #drainOf(node: IngestNode): NodeDrain {
    const { circuits, database } = this.#deps;
    return new NodeDrain({
      ...this.#deps,
      node,
      isOwn: (shard) => database.nodeOf(shard) === node && !circuits.isOpen(shard),
      onOutage: (error) => circuits.trip(node, error),
      onClosed: (shard) => circuits.close(shard),
      isStopped: () => this.#isStopped,
    });
  }
}
