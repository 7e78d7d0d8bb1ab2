import type { Logger } from 'pino';
import { isAnswered, isPassing, isReadOnly, isUniqueViolation } from '../../db/errors.ts';
import type { CommitException, StorableLead } from '../../db/ingest/ingest-commit.ts';
import type { IngestDatabase, LaneConnection } from '../../db/ingest/ingest-database.ts';
import type { Clock } from '../../time/clock.ts';
import type { CommitOutcome, Settle } from './group-commit.ts';
import { isSameBody, repeatNames } from './repeat-names.ts';
import { isStripped, strippedLead } from './stripped-lead.ts';

export interface LaneMeter {
  onCommit(rows: number, durationMs: number): void;
}

export interface LaneDeps {
  readonly database: Pick<IngestDatabase, 'openLane'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: LaneMeter;
  /** No commit may take longer. */
  readonly deadlineMs: number;
  /** A batch takes no further lead once it holds more; what is copied in a row when it is written. */
  readonly batchBytesMax: number;
  /** The id of the next use of a key whose last use has the id of this lead. */
  readonly nextId: (lead: StorableLead) => string;
  readonly onUnreachable: (error: unknown) => void;
  /** Takes over the leads that PostgreSQL did not take in time. It may have them all the same. */
  readonly giveUp: (lead: StorableLead, settle: Settle) => void;
}

interface Waiting {
  lead: StorableLead;
  readonly settle: Settle;
  readonly since: number;
  /** Repeats of this lead in the same batch: they share what becomes of it. */
  readonly followers: Waiting[];
}

interface Settled {
  readonly waiting: Waiting;
  /** `again`: the lead goes into the next batch. */
  readonly outcome: CommitOutcome | 'again';
}

const batchRowsMax = 512;
const retryPauseMs = 20;
const triesMax = 8;

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
 * is sent again with the same ids, once and at once. When that fails too, or the deadline passes, the whole
 * queue is given up. Leads that have waited for their turn longer than the deadline, because more come than
 * PostgreSQL can take, are given up too.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #connection: LaneConnection;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #inFlight = 0;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#connection = deps.database.openLane();
  }

  get depth(): number {
    return this.#waiting.length;
  }

  /** Leads in the commit under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** True when the next lead would hardly have its turn within the deadline. */
  get isOverrun(): boolean {
    const [first] = this.#waiting;
    return first !== undefined && this.#deps.clock.monotonic() - first.since > this.#deps.deadlineMs / 2;
  }

  submit(lead: StorableLead, settle: Settle): void {
    this.#waiting.push({ lead, settle, since: this.#deps.clock.monotonic(), followers: [] });
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    await this.#running;
    await this.#connection.close();
  }

  async #run(): Promise<void> {
    await this.#deps.clock.turn();
    let settled: Settled[] = [];
    while (this.#waiting.length > 0 || settled.length > 0) {
      this.#giveUpOverdue();
      const batch = this.#takeBatch();
      this.#inFlight = batch.length;
      const committing = batch.length > 0 ? this.#commit(batch, this.#firstTry()) : [];
      // PostgreSQL is at work on this batch while the senders of the one before get their answers.
      for (const { waiting, outcome } of settled) this.#settle(waiting, outcome);
      settled = await committing;
    }
    this.#running = null;
  }

  #firstTry(): Attempt {
    return { startedAt: this.#deps.clock.monotonic(), number: 1, isRetry: false };
  }

  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const deferred: Waiting[] = [];
    const leaders = new Map<string, Waiting>();
    let bytes = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      if (batch.length === batchRowsMax || bytes > this.#deps.batchBytesMax) break;
      taken++;
      const leader = leaderOf(waiting, leaders);
      if (leader === 'several') {
        deferred.push(waiting);
      } else if (leader !== null) {
        leader.followers.push(waiting, ...waiting.followers.splice(0));
      } else {
        batch.push(waiting);
        bytes += waiting.lead.body.length;
      }
    }
    this.#waiting = deferred.concat(this.#waiting.slice(taken));
    return batch;
  }

  async #commit(batch: Waiting[], attempt: Attempt): Promise<Settled[]> {
    const startedAt = this.#deps.clock.monotonic();
    try {
      const leads = batch.map(({ lead }) => lead);
      const { isRetry } = attempt;
      const exceptions = await this.#connection.commit(leads, { now: this.#deps.clock.now(), isRetry });
      this.#deps.meter.onCommit(batch.length, this.#deps.clock.monotonic() - startedAt);
      return this.#settledBy(batch, exceptions);
    } catch (error) {
      if (isPassing(error)) return this.#tryAgain(batch, attempt, error);
      // An id that exists already: of an earlier try, of an earlier use of the key, or of the same signed request on
      // another instance in this very moment. A retry finds out; it can meet only such a request again.
      if (isUniqueViolation(error) && attempt.number < triesMax) return this.#commit(batch, retryOf(attempt));
      return batch.length > 1
        ? this.#commitHalves(batch, attempt)
        : this.#commitRefused(batch, attempt, error);
    }
  }

  async #tryAgain(batch: Waiting[], attempt: Attempt, error: unknown): Promise<Settled[]> {
    // A server that answers may well take the same batch a moment later; one that is gone is tried only once more, and
    // so is one that takes no changes at all.
    const isThere = isAnswered(error) && !isReadOnly(error);
    const isLate = this.#deps.clock.monotonic() - attempt.startedAt >= this.#deps.deadlineMs;
    if (isLate || (attempt.isRetry && !isThere)) {
      this.#giveUp(batch, error);
      return [];
    }
    this.#deps.log.warn({ err: error, leads: batch.length }, 'a commit failed and is tried again');
    if (attempt.isRetry) await this.#deps.clock.sleep(retryPauseMs);
    return this.#commit(batch, retryOf(attempt));
  }

  #giveUp(batch: Waiting[], error: unknown): void {
    const given = [...batch, ...this.#waiting];
    this.#waiting = [];
    this.#deps.onUnreachable(error);
    this.#handOver(given);
  }

  #giveUpOverdue(): void {
    const bearable = this.#deps.clock.monotonic() - this.#deps.deadlineMs;
    const [first] = this.#waiting;
    if (first === undefined || first.since >= bearable) return;
    const isOverdue = ({ since }: Waiting) => since < bearable;
    const overdue = this.#waiting.filter(isOverdue);
    this.#waiting = this.#waiting.filter((waiting) => !isOverdue(waiting));
    this.#deps.log.warn({ leads: overdue.length }, 'more leads come than PostgreSQL takes in time');
    this.#handOver(overdue);
  }

  #handOver(given: readonly Waiting[]): void {
    for (const { lead, settle } of given.flatMap((waiting) => [waiting, ...waiting.followers]))
      this.#deps.giveUp(lead, settle);
  }

  async #commitHalves(batch: Waiting[], attempt: Attempt): Promise<Settled[]> {
    const middle = Math.ceil(batch.length / 2);
    const first = await this.#commit(batch.slice(0, middle), attempt);
    return first.concat(await this.#commit(batch.slice(middle), attempt));
  }

  async #commitRefused(batch: Waiting[], attempt: Attempt, error: unknown): Promise<Settled[]> {
    const waiting = batch[0] as Waiting;
    const { lead } = waiting;
    this.#deps.log.error({ err: error, submission_id: lead.submissionId }, 'PostgreSQL refused a lead');
    if (isStripped(lead)) return [{ waiting, outcome: { kind: 'unavailable' } }];
    waiting.lead = strippedLead(lead);
    return this.#commit(batch, attempt);
  }

  #settledBy(batch: Waiting[], exceptions: CommitException[]): Settled[] {
    const byPlace = new Map(exceptions.map((exception) => [exception.place, exception]));
    return batch.map((waiting, place) => {
      const exception = byPlace.get(place);
      if (exception?.outcome === 'taken') this.#renew(waiting);
      return { waiting, outcome: outcomeOf(waiting.lead, exception) };
    });
  }

  /** The key is used anew after its lifetime. */
  #renew(waiting: Waiting): void {
    waiting.lead = { ...waiting.lead, submissionId: this.#deps.nextId(waiting.lead) };
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

interface Attempt {
  readonly startedAt: number;
  readonly number: number;
  /** True when an earlier try may have committed. */
  readonly isRetry: boolean;
}

function retryOf({ startedAt, number }: Attempt): Attempt {
  return { startedAt, number: number + 1, isRetry: true };
}

/**
 * The lead of this batch that this one repeats, if any. `several` when only its key or only its signature is in the
 * batch: the other one has to be claimed too, so it waits for the next.
 */
function leaderOf(waiting: Waiting, leaders: Map<string, Waiting>): Waiting | 'several' | null {
  const names = repeatNames(waiting.lead);
  const [first] = names;
  if (first === undefined) return null;
  const leader = leaders.get(first);
  if (names.some((name) => leaders.get(name) !== leader)) return 'several';
  if (leader === undefined) for (const name of names) leaders.set(name, waiting);
  return leader ?? null;
}

function outcomeOf(lead: StorableLead, exception: CommitException | undefined): CommitOutcome | 'again' {
  if (exception === undefined) return { kind: 'stored', submissionId: lead.submissionId };
  const { outcome, submissionId, sameBody } = exception;
  if (outcome === 'again' || outcome === 'taken') return 'again';
  if (outcome === 'rate_limited_minute' || outcome === 'rate_limited_day')
    return { kind: 'rate_limited', reason: outcome };
  return { kind: 'replayed', submissionId: submissionId as string, isSameBody: sameBody === true };
}

function replayOf(leader: StorableLead, follower: StorableLead, submissionId: string): CommitOutcome {
  return { kind: 'replayed', submissionId, isSameBody: isSameBody(leader, follower) };
}
