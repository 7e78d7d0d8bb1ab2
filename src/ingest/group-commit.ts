import type { StorableLead } from '../db/ingest-commit.ts';
import { Lane, type LaneDeps } from './lane.ts';

/** What the sender of a lead is told. */
export type CommitOutcome =
  | { readonly kind: 'stored'; readonly submissionId: string }
  | { readonly kind: 'replayed'; readonly submissionId: string; readonly isSameBody: boolean }
  | { readonly kind: 'rate_limited'; readonly reason: 'rate_limited_minute' | 'rate_limited_day' }
  /** Neither PostgreSQL nor the spool took it for certain, so nothing may be answered. */
  | { readonly kind: 'unavailable' };

export type Settle = (outcome: CommitOutcome) => void;

export interface GroupCommitDeps extends LaneDeps {
  readonly laneCount: number;
}

const busyLeads = 16;

/**
 * Commits leads together: those that arrive while a commit is under way share the next one. A workspace
 * always uses the same lane and a lane runs one commit at a time, so the counters of a workspace are never
 * contended inside an instance.
 */
export class GroupCommit {
  readonly #lanes: Lane[];

  constructor(deps: GroupCommitDeps) {
    this.#lanes = Array.from({ length: deps.laneCount }, () => new Lane(deps));
  }

  submit(lead: StorableLead, settle: Settle): void {
    const lane = this.#lanes[lead.shard % this.#lanes.length] as Lane;
    lane.submit(lead, settle);
  }

  /** Leads waiting for their commit. */
  get depth(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.depth, 0);
  }

  /** True while so many leads share a commit that senders wait for one another. */
  get isBusy(): boolean {
    return this.#lanes.some(({ depth, inFlight }) => depth + inFlight > busyLeads);
  }

  /** True while leads wait longer for their turn than they may. */
  get isOverrun(): boolean {
    return this.#lanes.some(({ isOverrun }) => isOverrun);
  }

  /** Returns when everything submitted has its outcome. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }
}
