import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isPassing } from '../db/errors.ts';
import type { CommitException, StorableLead } from '../db/ingest-commit.ts';
import { CommitConnection } from './commit-connection.ts';
import type { CommitOutcome } from './group-commit.ts';

export interface LaneMeter {
  onCommit(rows: number, durationMs: number): void;
}

export interface LaneDeps {
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: LaneMeter;
}

interface Waiting {
  lead: StorableLead;
  readonly since: number;
  readonly settle: (outcome: CommitOutcome) => void;
  /** Leads of the same batch with the same key: they share what becomes of this one. */
  readonly followers: Waiting[];
}

interface Settled {
  readonly waiting: Waiting;
  /** `again`: the lead goes into the next batch. */
  readonly outcome: CommitOutcome | 'again';
}

const batchRowsMax = 512;
const batchBytesMax = 4 * 1024 * 1024;
const waitMsMax = 5_000;
const retryPauseMs = 100;
const emptyProjection = Buffer.from('{}');

/**
 * A queue of leads with at most one commit in flight.
 *
 *   idle       → scheduled   by the first lead; it waits for the end of this turn of the event loop, no longer
 *   scheduled  → committing  with everything that arrived in the same turn
 *   committing → committing  while leads wait: the next batch is whatever arrived meanwhile. It is sent before
 *                            the answers of the last one go out, so that PostgreSQL never waits for those
 *   committing → idle        when none waits
 *
 * A batch that PostgreSQL refuses is halved until the refused lead is alone. A batch whose connection is lost
 * is sent again with the same ids, until its leads have waited too long.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #connection: CommitConnection;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #inFlight = 0;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#connection = new CommitConnection(deps.databaseUrl);
  }

  get depth(): number {
    return this.#waiting.length;
  }

  /** Leads in the commit under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  submit(lead: StorableLead, settle: (outcome: CommitOutcome) => void): void {
    this.#waiting.push({ lead, since: performance.now(), settle, followers: [] });
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    await this.#running;
    await this.#connection.close();
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    let settled: Settled[] = [];
    while (this.#waiting.length > 0 || settled.length > 0) {
      const batch = this.#takeBatch();
      this.#inFlight = batch.length;
      const committing = batch.length > 0 ? this.#commit(batch, false) : [];
      // PostgreSQL is at work on this batch while the senders of the one before get their answers.
      for (const { waiting, outcome } of settled) this.#settle(waiting, outcome);
      settled = await committing;
    }
    this.#running = null;
  }

  #takeBatch(): Waiting[] {
    this.#waiting = this.#withoutExpired(this.#waiting);
    const batch: Waiting[] = [];
    const leaders = new Map<string, Waiting>();
    let bytes = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      if (batch.length === batchRowsMax || bytes > batchBytesMax) break;
      taken++;
      const leader = leaderOf(waiting, leaders);
      if (leader !== null) {
        leader.followers.push(waiting, ...waiting.followers.splice(0));
      } else {
        batch.push(waiting);
        bytes += waiting.lead.body.length;
      }
    }
    this.#waiting = this.#waiting.slice(taken);
    return batch;
  }

  async #commit(batch: Waiting[], isRetry: boolean): Promise<Settled[]> {
    const startedAt = performance.now();
    try {
      const leads = batch.map(({ lead }) => lead);
      const exceptions = await this.#connection.commit(leads, { now: this.#deps.clock.now(), isRetry });
      this.#deps.meter.onCommit(batch.length, performance.now() - startedAt);
      return settledBy(batch, exceptions);
    } catch (error) {
      if (isPassing(error)) return this.#tryAgain(batch, error);
      return batch.length > 1
        ? this.#commitHalves(batch, isRetry)
        : this.#commitRefused(batch, isRetry, error);
    }
  }

  async #tryAgain(batch: Waiting[], error: unknown): Promise<Settled[]> {
    this.#deps.log.warn({ err: error, leads: batch.length }, 'a commit failed and is tried again');
    await sleep(retryPauseMs);
    const living = this.#withoutExpired(batch);
    this.#waiting = this.#withoutExpired(this.#waiting);
    return living.length > 0 ? this.#commit(living, true) : [];
  }

  /** Lets go of those that have waited too long; leads that followed them are tried on their own, if not too late. */
  #withoutExpired(leads: readonly Waiting[]): Waiting[] {
    const living: Waiting[] = [];
    const queue = [...leads];
    for (const waiting of queue) {
      if (isExpired(waiting)) {
        this.#tell(waiting, { kind: 'unavailable' });
        queue.push(...waiting.followers.splice(0));
      } else {
        living.push(waiting);
      }
    }
    return living;
  }

  async #commitHalves(batch: Waiting[], isRetry: boolean): Promise<Settled[]> {
    const middle = Math.ceil(batch.length / 2);
    const first = await this.#commit(batch.slice(0, middle), isRetry);
    return first.concat(await this.#commit(batch.slice(middle), isRetry));
  }

  /** The exact bytes can always be stored, so a lead loses its searchable projection before it is given up. */
  async #commitRefused(batch: Waiting[], isRetry: boolean, error: unknown): Promise<Settled[]> {
    const waiting = batch[0] as Waiting;
    const { lead } = waiting;
    this.#deps.log.error({ err: error, submission_id: lead.submissionId }, 'PostgreSQL refused a lead');
    if (lead.projection === emptyProjection) return [{ waiting, outcome: { kind: 'unavailable' } }];
    waiting.lead = {
      ...lead,
      projection: emptyProjection,
      score: { ...lead.score, reasons: [], merits: [] },
    };
    return this.#commit(batch, isRetry);
  }

  #settle(waiting: Waiting, outcome: CommitOutcome | 'again'): void {
    if (outcome === 'again') {
      this.#waiting.unshift(waiting);
      return;
    }
    this.#tell(waiting, outcome);
    if (outcome.kind === 'stored' || outcome.kind === 'replayed') {
      for (const follower of waiting.followers) {
        this.#tell(follower, replayOf(waiting.lead, follower.lead, outcome.submissionId));
      }
    } else {
      this.#waiting.unshift(...waiting.followers);
    }
  }

  /** A sender that cannot be told must not keep the others from being told. */
  #tell(waiting: Waiting, outcome: CommitOutcome): void {
    try {
      waiting.settle(outcome);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a sender could not be answered');
    }
  }
}

function isExpired({ since }: Waiting): boolean {
  return performance.now() - since >= waitMsMax;
}

function settledBy(batch: Waiting[], exceptions: CommitException[]): Settled[] {
  const byPlace = new Map(exceptions.map((exception) => [exception.place, exception]));
  return batch.map((waiting, place) => ({ waiting, outcome: outcomeOf(waiting.lead, byPlace.get(place)) }));
}

/** The lead of this batch that has the same key already, if any. */
function leaderOf(waiting: Waiting, leaders: Map<string, Waiting>): Waiting | null {
  const { key, workspaceId } = waiting.lead;
  if (key === null) return null;
  const name = workspaceId.toString('latin1') + key.hash.toString('latin1');
  const leader = leaders.get(name);
  if (leader === undefined) leaders.set(name, waiting);
  return leader ?? null;
}

function outcomeOf(lead: StorableLead, exception: CommitException | undefined): CommitOutcome | 'again' {
  if (exception === undefined) return { kind: 'stored', submissionId: lead.submissionId };
  const { outcome, submissionId, sameBody } = exception;
  if (outcome === 'again') return outcome;
  if (outcome === 'rate_limited_minute' || outcome === 'rate_limited_day')
    return { kind: 'rate_limited', reason: outcome };
  return { kind: 'replayed', submissionId: submissionId as string, isSameBody: sameBody === true };
}

function replayOf(leader: StorableLead, follower: StorableLead, submissionId: string): CommitOutcome {
  const isSameBody = leader.key?.bodyHash.equals(follower.key?.bodyHash ?? Buffer.alloc(0)) ?? false;
  return { kind: 'replayed', submissionId, isSameBody };
}
