import type { IngestDatabase, IngestNode } from '../../db/ingest/ingest-database.ts';
import { largeBodyBytes } from '../../domain/lead/lead.ts';
import { PerNode } from '../circuit/per-node.ts';
import { Lane, type LaneDeps } from './lane/lane.ts';
import type { Submission } from './submission.ts';
import { type Underway, UnderwayWorkspaces } from './underway.ts';

export interface GroupCommitDeps
  extends Omit<
    LaneDeps,
    'gatherMs' | 'aheadLeadsMin' | 'node' | 'batchBytesMax' | 'reroute' | 'onUnreachable'
  > {
  readonly database: Pick<IngestDatabase, 'nodeOf'>;
  readonly laneCount: number;
  /** False when other processes of this host commit too. */
  readonly isAlone: boolean;
  readonly onUnreachable: (node: IngestNode, error: unknown) => void;
  /** From how many waiting leads on a batch is sent ahead. */
  readonly aheadLeadsMin?: number | undefined;
}

/** The lanes of a node. */
interface NodeLanes {
  readonly lanes: readonly Lane[];
  readonly large: Lane;
}

// Fewer are not worth a commit of their own while another one is under way.
const aheadLeadsUsual = 48;
const gatherMs = 2;
const gatherMsMax = 20;
const busyLeads = 16;
const batchBytesMax = 1024 * 1024;
/** The deadline applies to the whole batch, so at most one of the largest leads fits in it. */
const largeBatchBytesMax = 64 * 1024;

/**
 * Commits leads together: those that arrive while a commit is under way share the next one. A workspace uses one
 * lane at a time and PostgreSQL does the commits of a lane one after the other, so the counters of a workspace are never
 * contended inside an instance. Large leads have a separate lane, so that no workspace waits for another's large leads. Small leads of the
 * same workspace follow them there, because they update the same counters. Each node of a cluster has its own lanes.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  readonly #nodes: PerNode<NodeLanes>;
  readonly #workspaces = new UnderwayWorkspaces();
  #parkedCount = 0;
  #onSettled: (() => void)[] = [];

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
    this.#nodes = new PerNode((node) => this.#lanesOf(node));
  }

  submit(submission: Submission): void {
    const { body, workspaceId } = submission.lead;
    const isLarge = body.length > largeBodyBytes;
    const underway = this.#workspaces.of(workspaceId);
    if (!underway.isAny) {
      this.#workspaces.begin(underway, isLarge);
      this.#give(underway, submission);
    } else if (underway.parked.length > 0 || (isLarge && !underway.isLarge)) {
      underway.parked.push(submission);
      this.#parkedCount++;
    } else this.#give(underway, submission);
  }

  #give(underway: Underway, submission: Submission): void {
    underway.count++;
    submission.whenSettled(() => {
      if (--underway.count === 0) this.#goOn(underway);
    });
    this.#laneFor(submission, underway.isLarge).submit(submission);
  }

  #goOn(underway: Underway): void {
    underway.isLarge = true;
    const parked = underway.parked.splice(0);
    this.#parkedCount -= parked.length;
    for (const submission of parked) this.#give(underway, submission);
    if (underway.count > 0) return;
    this.#workspaces.end(underway);
    if (this.#workspaces.active === 0) for (const resolve of this.#onSettled.splice(0)) resolve();
  }

  #laneFor({ lead: { shard } }: Submission, isLarge: boolean): Lane {
    const { lanes, large } = this.#nodes.of(this.#deps.database.nodeOf(shard));
    return isLarge ? large : (lanes[shard % lanes.length] as Lane);
  }

  #lanesOf(node: IngestNode): NodeLanes {
    const { laneCount, onUnreachable, aheadLeadsMin, ...deps } = this.#deps;
    const laneOf = (bytesMax: number, isLarge: boolean) =>
      new Lane({
        ...deps,
        node,
        // Beside other processes PostgreSQL has something to do anyway, and a batch of large leads has only just enough time.
        aheadLeadsMin: () =>
          isLarge || this.#gatherMs(node) > 0 ? Number.POSITIVE_INFINITY : (aheadLeadsMin ?? aheadLeadsUsual),
        gatherMs: () => this.#gatherMs(node),
        batchBytesMax: bytesMax,
        onUnreachable: (error) => onUnreachable(node, error),
        reroute: (submission) => this.#laneFor(submission, isLarge).submit(submission),
      });
    return {
      lanes: Array.from({ length: laneCount }, () => laneOf(batchBytesMax, false)),
      large: laneOf(largeBatchBytesMax, true),
    };
  }

  /** A process that shares PostgreSQL with others, or its senders among nodes, needs longer for a batch of the same size. */
  #gatherMs({ address }: IngestNode): number {
    if (address === null) return this.#deps.isAlone ? 0 : gatherMs;
    return Math.min(gatherMsMax, gatherMs * this.#nodes.all.length);
  }

  get #small(): Lane[] {
    return this.#nodes.all.flatMap(({ lanes }) => lanes);
  }

  get #all(): Lane[] {
    return this.#nodes.all.flatMap(({ lanes, large }) => [...lanes, large]);
  }

  /** Leads waiting for their commit. */
  get depth(): number {
    return this.#all.reduce((sum, lane) => sum + lane.depth, this.#parkedCount);
  }

  /** True while so many leads share a commit that senders wait for one another. The lane for large leads does not count. */
  get isBusy(): boolean {
    return this.#small.some(({ depth, inFlight }) => depth + inFlight > busyLeads);
  }

  /** True while leads wait too long for their commit, on every node. */
  get isOverrun(): boolean {
    const nodes = this.#nodes.all;
    return nodes.length > 0 && nodes.every(({ lanes }) => lanes.some(({ isOverrun }) => isOverrun));
  }

  /** Resolves when every submission has its result. */
  async stop(): Promise<void> {
    while (this.#workspaces.active > 0) await new Promise<void>((resolve) => this.#onSettled.push(resolve));
    await Promise.all(this.#all.map((lane) => lane.stop()));
  }
}
