import { isMovedBucket } from '../../../db/errors.ts';
import type { IngestNode, LaneConnection } from '../../../db/ingest/ingest-database.ts';
import type { CommitResult } from '../commit-result.ts';
import type { Submission } from '../submission.ts';
import { takeBatch, type Waiting } from './batch.ts';
import { BatchCommit, type BatchCommitDeps, type Committed } from './batch-commit.ts';
import { duplicateOf } from './committed-result.ts';

export interface LaneDeps extends Omit<BatchCommitDeps, 'connection' | 'giveUp'> {
  readonly node: Pick<IngestNode, 'openLane'>;
  /** Once a batch exceeds this, it takes no further lead. Bounds how much is copied in a row when it is encoded. */
  readonly batchBytesMax: number;
  /** How many leads have to wait before they are sent while PostgreSQL still works on the batch before. Never without. */
  readonly aheadLeadsMin?: (() => number) | undefined;
  /** Under load, how long to wait for more leads: PostgreSQL has less to do for fewer, larger batches. 0 without. */
  readonly gatherMs?: (() => number) | undefined;
  readonly onUnreachable: (error: unknown) => void;
  /** Takes over leads that PostgreSQL did not confirm in time. It may have stored them all the same. */
  readonly giveUp: (submission: Submission) => void;
  /** Takes over leads whose shard is on another node. */
  readonly reroute: (submission: Submission) => void;
  /** The shard is being moved and accepts no leads for a while. */
  readonly onClosed: (shard: number) => void;
}

// Under load, the senders of the last batch are answered first, and those that send again join the next batch.
const gatherLeadsMin = 16;
// A batch that is sent ahead is at least half as large as the one before, because small batches cost more per lead.
const aheadShareMin = 0.5;

/**
 * A queue of leads with one commit under way, and perhaps a second one that PostgreSQL has already received.
 *
 *   idle       → scheduled   by the first lead, which waits only until this turn of the event loop ends
 *   scheduled  → committing  with all leads that arrived in the same turn
 *   committing → ahead       when half as many leads wait as are being committed. They are scored, encoded and sent in the
 *                            meantime, and PostgreSQL begins with them as soon as it has done the batch before
 *   ahead      → committing  when the first of the two commits is done: its senders are answered
 *   committing → committing  while leads wait: the next batch is what arrived during the commit. It is sent before
 *                            the senders of the last batch are answered, so that PostgreSQL never waits for that
 *   committing → gathering   instead, when many leads wait and there are several lanes to fill: senders are answered
 *                            first, and a few milliseconds later the batch has about twice the leads for the same commit
 *   gathering  → committing  after that pause
 *   committing → idle        when no lead waits
 *
 * When a batch is given up (batch-commit.ts), the whole queue is handed to `giveUp`. So are leads that wait longer than the
 * deadline because more arrive than PostgreSQL can store.
 */
export class Lane {
  readonly #deps: LaneDeps;
  readonly #connection: LaneConnection;
  readonly #commit: BatchCommit;
  #waiting: Waiting[] = [];
  #underWay: (readonly Waiting[])[] = [];
  #isScheduled = false;
  #isGathering = false;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#connection = deps.node.openLane();
    this.#commit = new BatchCommit({
      ...deps,
      connection: this.#connection,
      giveUp: (batch, error) => this.#giveUp(batch, error),
    });
  }

  get depth(): number {
    return this.#waiting.length;
  }

  /** Leads in the commits under way. */
  get inFlight(): number {
    return this.#underWay.reduce((sum, { length }) => sum + length, 0);
  }

  /** True when a new lead is unlikely to be committed within the deadline. */
  get isOverrun(): boolean {
    const [first] = this.#waiting;
    return first !== undefined && this.#deps.clock.monotonic() - first.since > this.#deps.deadlineMs / 2;
  }

  submit(submission: Submission): void {
    this.#waiting.push({ submission, since: this.#deps.clock.monotonic(), followers: [] });
    this.#schedule();
  }

  async stop(): Promise<void> {
    await this.#idle?.promise;
    await this.#connection.close();
  }

  /** Sends the next batch when this turn of the event loop has ended, if one is due. */
  #schedule(): void {
    if (this.#isScheduled || !this.#isDue) return;
    this.#isScheduled = true;
    this.#idle ??= Promise.withResolvers();
    void this.#deps.clock.turn().then(() => {
      this.#isScheduled = false;
      this.#sendDue();
      this.#schedule();
      this.#restIfIdle();
    });
  }

  get #isDue(): boolean {
    if (this.#isGathering) return false;
    const [first, second] = this.#underWay;
    const count = this.#waiting.length;
    if (first === undefined) return count > 0;
    return second === undefined && count >= Math.max(this.#aheadLeadsMin, first.length * aheadShareMin);
  }

  /** Take → score → commit. */
  #sendDue(): void {
    this.#giveUpOverdue();
    if (this.#isDue) {
      const { batch, rest } = takeBatch(this.#waiting, this.#deps.batchBytesMax);
      this.#waiting = rest;
      this.#underWay.push(batch);
      void this.#commit.commit(batch).then((committed) => this.#onCommitted(batch, committed));
    }
  }

  async #onCommitted(batch: readonly Waiting[], committed: readonly Committed[]): Promise<void> {
    this.#underWay = this.#underWay.filter((other) => other !== batch);
    if (this.#gatherMs > 0 && committed.length + this.#waiting.length > gatherLeadsMin) {
      await this.#gather(committed);
    } else {
      // PostgreSQL works on the next batch while the senders of this one are answered.
      if (this.#underWay.length === 0) this.#sendDue();
      else this.#giveUpOverdue();
      this.#answer(committed);
    }
    this.#schedule();
    this.#restIfIdle();
  }

  async #gather(committed: readonly Committed[]): Promise<void> {
    this.#isGathering = true;
    this.#answer(committed);
    await this.#deps.clock.sleep(this.#gatherMs);
    this.#isGathering = false;
    this.#sendDue();
  }

  #restIfIdle(): void {
    const isBusy = this.#isScheduled || this.#isGathering || this.#underWay.length > 0;
    if (isBusy || this.#waiting.length > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }

  get #aheadLeadsMin(): number {
    return this.#deps.aheadLeadsMin?.() ?? Number.POSITIVE_INFINITY;
  }

  get #gatherMs(): number {
    return this.#deps.gatherMs?.() ?? 0;
  }

  #giveUp(batch: readonly Waiting[], error: unknown): void {
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
