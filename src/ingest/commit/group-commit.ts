import { largeBodyBytes } from '../../domain/lead/lead.ts';
import { Lane, type LaneDeps } from './lane.ts';
import type { Submission } from './submission.ts';

export interface GroupCommitDeps extends Omit<LaneDeps, 'batchBytesMax'> {
  readonly laneCount: number;
}

/** A workspace that has leads under way, all of them in one lane. */
interface Underway {
  lane: Lane;
  count: number;
  /** Leads that may not overtake those in the lane, and do not belong there. */
  readonly parked: Submission[];
}

const busyLeads = 16;
const batchBytesMax = 1024 * 1024;
/** One of the largest at a time: the deadline is for all of a batch. */
const largeBatchBytesMax = 64 * 1024;

/**
 * Commits leads together: those that arrive while a commit is under way share the next one. A workspace uses one
 * lane at a time and a lane runs one commit at a time, so the counters of a workspace are never contended inside an
 * instance. Large leads have a lane of their own, so that nobody waits for somebody else's; the small ones of the same
 * workspace follow them there, because they need the same rows.
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
    // By the buffer itself: a workspace has one, and a new one only when it was changed.
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

  /** True while so many leads share a commit that senders wait for one another. Large ones concern nobody else. */
  get isBusy(): boolean {
    return this.#lanes.some(({ depth, inFlight }) => depth + inFlight > busyLeads);
  }

  /** True while leads wait longer for their turn than they may. */
  get isOverrun(): boolean {
    return this.#lanes.some(({ isOverrun }) => isOverrun);
  }

  /** Returns when everything submitted has its result. */
  async stop(): Promise<void> {
    while (this.#underway.size > 0) await new Promise<void>((resolve) => this.#onSettled.push(resolve));
    await Promise.all(this.#all.map((lane) => lane.stop()));
  }
}
