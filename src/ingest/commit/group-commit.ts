import { largeBodyBytes } from '../../domain/lead/lead.ts';
import { Lane, type LaneDeps } from './lane.ts';
import type { Submission } from './submission.ts';

export interface GroupCommitDeps extends Omit<LaneDeps, 'batchBytesMax'> {
  readonly laneCount: number;
}

/** A workspace with leads under way, all of them in one lane. */
interface Underway {
  lane: Lane;
  count: number;
  /** Leads for another lane, which wait until those in this lane are done. */
  readonly parked: Submission[];
}

const busyLeads = 16;
const batchBytesMax = 1024 * 1024;
/** The deadline applies to the whole batch, so at most one of the largest leads fits in it. */
const largeBatchBytesMax = 64 * 1024;

/**
 * Commits leads together: those that arrive while a commit is under way share the next one. A workspace uses one
 * lane at a time and a lane runs one commit at a time, so the counters of a workspace are never contended inside an
 * instance. Large leads have a separate lane, so that no workspace waits for another's large leads. Small leads of the
 * same workspace follow them there, because they update the same counters.
 */
export class GroupCommit {
  readonly #lanes: Lane[];
  readonly #largeLane: Lane;
  readonly #underway = new Map<Buffer, Underway>();
  #parkedCount = 0;
  #onSettled: (() => void)[] = [];

  constructor(deps: GroupCommitDeps) {
    this.#lanes = Array.from({ length: deps.laneCount }, () => new Lane({ ...deps, batchBytesMax }));
    this.#largeLane = new Lane({ ...deps, batchBytesMax: largeBatchBytesMax });
  }

  submit(submission: Submission): void {
    const { body, shard, workspaceId } = submission.lead;
    const isLarge = body.length > largeBodyBytes;
    // The map compares buffers by identity. A workspace keeps the same buffer until it is changed.
    const before = this.#underway.get(workspaceId);
    if (before === undefined) {
      const lane = isLarge ? this.#largeLane : (this.#lanes[shard % this.#lanes.length] as Lane);
      const underway = { lane, count: 0, parked: [] };
      this.#underway.set(workspaceId, underway);
      this.#give(underway, submission);
    } else if (before.parked.length > 0 || (isLarge && before.lane !== this.#largeLane)) {
      before.parked.push(submission);
      this.#parkedCount++;
    } else this.#give(before, submission);
  }

  #give(underway: Underway, submission: Submission): void {
    const { workspaceId } = submission.lead;
    underway.count++;
    submission.whenSettled(() => {
      if (--underway.count === 0) this.#goOn(underway, workspaceId);
    });
    underway.lane.submit(submission);
  }

  #goOn(underway: Underway, workspaceId: Buffer): void {
    underway.lane = this.#largeLane;
    const parked = underway.parked.splice(0);
    this.#parkedCount -= parked.length;
    for (const submission of parked) this.#give(underway, submission);
    if (underway.count > 0) return;
    this.#underway.delete(workspaceId);
    if (this.#underway.size === 0) for (const resolve of this.#onSettled.splice(0)) resolve();
  }

  get #all(): Lane[] {
    return [...this.#lanes, this.#largeLane];
  }

  /** Leads waiting for their commit. */
  get depth(): number {
    return this.#all.reduce((sum, lane) => sum + lane.depth, this.#parkedCount);
  }

  /** True while so many leads share a commit that senders wait for one another. The lane for large leads does not count. */
  get isBusy(): boolean {
    return this.#lanes.some(({ depth, inFlight }) => depth + inFlight > busyLeads);
  }

  /** True while leads wait too long for their commit. */
  get isOverrun(): boolean {
    return this.#lanes.some(({ isOverrun }) => isOverrun);
  }

  /** Resolves when every submission has its result. */
  async stop(): Promise<void> {
    while (this.#underway.size > 0) await new Promise<void>((resolve) => this.#onSettled.push(resolve));
    await Promise.all(this.#all.map((lane) => lane.stop()));
  }
}
