import type { Logger } from 'pino';
import { isMovedBucket, isRefusedRow, isUniqueViolation, isWorking } from '../../db/errors.ts';
import type { CommitException, StorableLead } from '../../db/ingest/ingest-commit.ts';
import type { IngestNode, LaneConnection } from '../../db/ingest/ingest-database.ts';
import type { Clock } from '../../time/clock.ts';
import { takeBatch, type Waiting } from './batch.ts';
import type { CommitResult } from './commit-result.ts';
import { type CommittedResult, duplicateOf, resultOf } from './committed-result.ts';
import type { Submission, UnscoredLead } from './submission.ts';

export interface LaneMeter {
  onCommit(rows: number, durationMs: number): void;
}

export interface LaneDeps {
  readonly node: Pick<IngestNode, 'openLane'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: LaneMeter;
  /** The longest a commit may take. */
  readonly deadlineMs: number;
  /** Once a batch exceeds this, it takes no further lead. Bounds how much is copied in a row when it is encoded. */
  readonly batchBytesMax: number;
  /** Under load, how long to wait for more leads: PostgreSQL has less to do for fewer, larger batches. 0 without. */
  readonly gatherMs?: (() => number) | undefined;
  /** The id for a new use of an expired key, derived from the lead of its last use. */
  readonly nextId: (lead: UnscoredLead) => string;
  readonly onUnreachable: (error: unknown) => void;
  /** Takes over leads that PostgreSQL did not confirm in time. It may have stored them all the same. */
  readonly giveUp: (submission: Submission) => void;
  /** Takes over leads whose shard is on another node. */
  readonly reroute: (submission: Submission) => void;
  /** The shard is being moved and accepts no leads for a while. */
  readonly onClosed: (shard: number) => void;
}

interface Committed {
  readonly waiting: Waiting;
  /** `again`: the lead goes into the next batch. */
  readonly result: CommittedResult;
}

// Under load, the senders of the last batch are answered first, and those that send again join the next batch.
const gatherLeadsMin = 16;
const retryPauseMs = 20;
const triesMax = 8;

/**
 * A queue of leads with at most one commit in flight.
 *
 *   idle       → scheduled   by the first lead, which waits only until this turn of the event loop ends
 *   scheduled  → committing  with all leads that arrived in the same turn
 *   committing → committing  while leads wait: the next batch is what arrived during the commit. It is sent before
 *                            the senders of the last batch are answered, so that PostgreSQL never waits for that
 *   committing → gathering   instead, when many leads wait and there are several lanes to fill: senders are answered
 *                            first, and a few milliseconds later the batch has about twice the leads for the same commit
 *   gathering  → committing  after that pause
 *   committing → idle        when no lead waits
 *
 * A batch that PostgreSQL refuses is halved until the refused lead is alone. A batch whose connection is lost is sent
 * again immediately, once, with the same ids. When that fails too, or the deadline passes, the whole queue is handed to
 * `giveUp`. So are leads that wait longer than the deadline because more arrive than PostgreSQL can store.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #connection: LaneConnection;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #inFlight = 0;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#connection = deps.node.openLane();
  }

  get depth(): number {
    return this.#waiting.length;
  }

  /** Leads in the commit under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** True when a new lead is unlikely to be committed within the deadline. */
  get isOverrun(): boolean {
    const [first] = this.#waiting;
    return first !== undefined && this.#deps.clock.monotonic() - first.since > this.#deps.deadlineMs / 2;
  }

  submit(submission: Submission): void {
    this.#waiting.push({ submission, since: this.#deps.clock.monotonic(), followers: [] });
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    await this.#running;
    await this.#connection.close();
  }

  /** Take → score → commit → answer. */
  async #run(): Promise<void> {
    await this.#deps.clock.turn();
    let committed: Committed[] = [];
    while (this.#waiting.length > 0 || committed.length > 0) {
      this.#giveUpOverdue();
      if (this.#isGathering(committed.length)) {
        this.#answer(committed);
        committed = [];
        await this.#deps.clock.sleep(this.#gatherMs);
      }
      const batch = this.#take();
      const committing = batch.length > 0 ? this.#scoreAndCommit(batch, this.#firstTry(batch)) : [];
      // PostgreSQL works on this batch while the senders of the previous one are answered.
      this.#answer(committed);
      committed = await committing;
    }
    this.#running = null;
  }

  get #gatherMs(): number {
    return this.#deps.gatherMs?.() ?? 0;
  }

  #isGathering(committed: number): boolean {
    return this.#gatherMs > 0 && committed + this.#waiting.length > gatherLeadsMin;
  }

  #take(): Waiting[] {
    const { batch, rest } = takeBatch(this.#waiting, this.#deps.batchBytesMax);
    this.#waiting = rest;
    this.#inFlight = batch.length;
    return batch;
  }

  /** Leads from another node may be stored: it lost the result, and then their bucket. */
  #firstTry(batch: readonly Waiting[]): Attempt {
    const isRetry = batch.some(({ submission }) => submission.mayBeStored);
    return { startedAt: this.#deps.clock.monotonic(), number: 1, isRetry };
  }

  /** Every attempt runs both steps, so that their errors, ours or PostgreSQL's, are handled in one place. */
  async #scoreAndCommit(batch: Waiting[], attempt: Attempt): Promise<Committed[]> {
    const startedAt = this.#deps.clock.monotonic();
    try {
      const { isRetry } = attempt;
      const leads = score(batch);
      const exceptions = await this.#connection.commit(leads, { now: this.#deps.clock.now(), isRetry });
      this.#deps.meter.onCommit(batch.length, this.#deps.clock.monotonic() - startedAt);
      return this.#committedBy(batch, exceptions);
    } catch (error) {
      if (!isRefusedRow(error)) return this.#tryAgain(batch, attempt, error);
      // The id exists already: from an earlier attempt, from an earlier use of the key, or from the same signed request
      // that another instance is storing right now. A retry looks the id up first, so only the last case can recur.
      if (isUniqueViolation(error) && attempt.number < triesMax)
        return this.#scoreAndCommit(batch, retryOf(attempt));
      return batch.length > 1
        ? this.#commitHalves(batch, attempt)
        : this.#commitRefused(batch, attempt, error);
    }
  }

  async #tryAgain(batch: Waiting[], attempt: Attempt, error: unknown): Promise<Committed[]> {
    // A server that works may accept the same batch a moment later. Any other gets only one more attempt.
    const isThere = isWorking(error);
    const isLate = this.#deps.clock.monotonic() - attempt.startedAt >= this.#deps.deadlineMs;
    for (const { submission } of batch) submission.mayBeStored = true;
    if (isLate || (attempt.number > 1 && !isThere)) {
      this.#giveUp(batch, error);
      return [];
    }
    this.#deps.log.warn({ err: error, leads: batch.length }, 'commit failed; trying again');
    if (attempt.number > 1) await this.#deps.clock.sleep(retryPauseMs);
    return this.#scoreAndCommit(batch, retryOf(attempt));
  }

  #giveUp(batch: Waiting[], error: unknown): void {
    // If only the bucket could not be found in time, the node works, and those who wait for it can.
    const given = isMovedBucket(error) ? batch : [...batch, ...this.#waiting.splice(0)];
    if (!isMovedBucket(error)) this.#deps.onUnreachable(error);
    this.#handOver(given);
  }

  #giveUpOverdue(): void {
    const bearable = this.#deps.clock.monotonic() - this.#deps.deadlineMs;
    const [first] = this.#waiting;
    if (first === undefined || first.since >= bearable) return;
    const isOverdue = ({ since }: Waiting) => since < bearable;
    const overdue = this.#waiting.filter(isOverdue);
    this.#waiting = this.#waiting.filter((waiting) => !isOverdue(waiting));
    this.#deps.log.warn({ leads: overdue.length }, 'more leads arrive than PostgreSQL can store in time');
    this.#handOver(overdue);
  }

  #handOver(given: readonly Waiting[], taker: (submission: Submission) => void = this.#deps.giveUp): void {
    for (const { submission } of given.flatMap((waiting) => [waiting, ...waiting.followers])) {
      try {
        taker(submission);
      } catch (error) {
        this.#deps.log.error({ err: error }, 'lead not passed on');
        this.#tell(submission, { kind: 'unavailable' });
      }
    }
  }

  async #commitHalves(batch: Waiting[], attempt: Attempt): Promise<Committed[]> {
    const middle = Math.ceil(batch.length / 2);
    const first = await this.#scoreAndCommit(batch.slice(0, middle), attempt);
    return first.concat(await this.#scoreAndCommit(batch.slice(middle), attempt));
  }

  async #commitRefused(batch: Waiting[], attempt: Attempt, error: unknown): Promise<Committed[]> {
    const waiting = batch[0] as Waiting;
    const { submission } = waiting;
    const { submissionId } = submission.lead;
    this.#deps.log.error({ err: error, submission_id: submissionId }, 'PostgreSQL refused a lead');
    if (!submission.strip()) return [{ waiting, result: { kind: 'unavailable' } }];
    return this.#scoreAndCommit(batch, attempt);
  }

  #committedBy(batch: Waiting[], exceptions: CommitException[]): Committed[] {
    const byPlace = new Map(exceptions.map((exception) => [exception.place, exception]));
    return batch.map((waiting, place) => {
      const exception = byPlace.get(place);
      const { submission } = waiting;
      // The key has expired and is used again.
      if (exception?.outcome === 'taken') submission.renew(this.#deps.nextId(submission.lead));
      return { waiting, result: resultOf(submission.lead, exception) };
    });
  }

  #answer(committed: readonly Committed[]): void {
    for (const { waiting, result } of committed) {
      if (result === 'again') this.#waiting.unshift(waiting);
      else if (result === 'moved') this.#handOver([waiting], this.#deps.reroute);
      else if (result === 'closed') this.#spoolClosed(waiting);
      else this.#answerWithFollowers(waiting, result);
    }
  }

  #spoolClosed(waiting: Waiting): void {
    this.#deps.onClosed(waiting.submission.lead.shard);
    this.#handOver([waiting]);
  }

  #answerWithFollowers({ submission, followers }: Waiting, result: CommitResult): void {
    this.#tell(submission, result);
    if (result.kind === 'stored' || result.kind === 'duplicate') {
      for (const follower of followers)
        this.#tell(
          follower.submission,
          duplicateOf(submission.lead, follower.submission.lead, result.submissionId),
        );
    } else {
      this.#waiting.unshift(...followers);
    }
  }

  /** An error while one sender is answered must not affect the others. */
  #tell(submission: Submission, result: CommitResult): void {
    try {
      submission.settle(result);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'response not sent');
    }
  }
}

/**
 * Scores a whole batch in a row, so that rules, tables and models stay in the processor's cache. This takes a third of the
 * time of scoring each lead as it arrives (docs/performance.md).
 */
function score(batch: readonly Waiting[]): StorableLead[] {
  return batch.map(({ submission }) => submission.score());
}

interface Attempt {
  readonly startedAt: number;
  readonly number: number;
  /** True when an earlier attempt may have committed. */
  readonly isRetry: boolean;
}

function retryOf({ startedAt, number }: Attempt): Attempt {
  return { startedAt, number: number + 1, isRetry: true };
}
