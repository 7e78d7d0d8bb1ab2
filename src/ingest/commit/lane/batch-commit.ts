import type { Logger } from 'pino';
import { isRefusedRow, isUniqueViolation, isWorking } from '../../../db/errors.ts';
import type { CommitException, StorableLead } from '../../../db/ingest/ingest-commit.ts';
import type { LaneConnection } from '../../../db/ingest/ingest-database.ts';
import type { Clock } from '../../../time/clock.ts';
import type { UnscoredLead } from '../submission.ts';
import type { Waiting } from './batch.ts';
import { type CommittedResult, resultOf } from './committed-result.ts';

export interface LaneMeter {
  onCommit(rows: number, durationMs: number): void;
}

export interface BatchCommitDeps {
  readonly connection: Pick<LaneConnection, 'commit'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: LaneMeter;
  /** The longest a commit may take. */
  readonly deadlineMs: number;
  /** The id for a new use of an expired key, derived from the lead of its last use. */
  readonly nextId: (lead: UnscoredLead) => string;
  /** Takes over a batch that was not confirmed in time. It may have been stored all the same. */
  readonly giveUp: (batch: readonly Waiting[], error: unknown) => void;
}

export interface Committed {
  readonly waiting: Waiting;
  /** `again`: the lead goes into the next batch. */
  readonly result: CommittedResult;
}

/** When a batch had all its results, or was given up; until then, before any time. */
interface End {
  at: number;
}

interface Attempt {
  readonly startedAt: number;
  /** Of the batch that PostgreSQL got before this one. */
  readonly before: End;
  readonly number: number;
  /** True when an earlier attempt may have committed. */
  readonly isRetry: boolean;
}

const retryPauseMs = 20;
const triesMax = 8;
// A limit of the connection may end a moment before ours.
const lateShare = 0.95;

/**
 * Score → commit, for the batches of a lane, until each lead has a result or is given up. A batch that PostgreSQL refuses
 * is halved until the refused lead is alone. A batch whose connection is lost is sent again immediately, once, with the
 * same ids. When that fails too, or the deadline passes, it is given up, and so are those that were sent with it.
 */
export class BatchCommit {
  readonly #deps: BatchCommitDeps;
  #gaveUpAt = -1;
  #latest: End = { at: -1 };

  constructor(deps: BatchCommitDeps) {
    this.#deps = deps;
  }

  /** Without those that were given up. Scores and sends the batch before it returns. */
  commit(batch: readonly Waiting[]): Promise<readonly Committed[]> {
    // Leads from another node may be stored: it lost the result, and then their bucket.
    const isRetry = batch.some(({ submission }) => submission.mayBeStored);
    const { clock } = this.#deps;
    const attempt = { startedAt: clock.monotonic(), before: this.#latest, number: 1, isRetry };
    const end: End = { at: -1 };
    this.#latest = end;
    return this.#scoreAndCommit(batch, attempt).finally(() => {
      end.at = clock.monotonic();
    });
  }

  /** Every attempt runs both steps, so that their errors, ours or PostgreSQL's, are handled in one place. */
  async #scoreAndCommit(batch: readonly Waiting[], attempt: Attempt): Promise<readonly Committed[]> {
    const { connection, clock, meter } = this.#deps;
    const startedAt = clock.monotonic();
    try {
      const { isRetry } = attempt;
      const leads = score(batch);
      const exceptions = await connection.commit(leads, { now: clock.now(), isRetry });
      meter.onCommit(batch.length, clock.monotonic() - startedAt);
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

  async #tryAgain(
    batch: readonly Waiting[],
    attempt: Attempt,
    error: unknown,
  ): Promise<readonly Committed[]> {
    const { clock, log, giveUp } = this.#deps;
    // A server that works may accept the same batch a moment later. Any other gets only one more attempt.
    const isThere = isWorking(error);
    for (const { submission } of batch) submission.mayBeStored = true;
    if (this.#isLate(attempt) || (attempt.number > 1 && !isThere)) {
      this.#gaveUpAt = clock.monotonic();
      giveUp(batch, error);
      return [];
    }
    log.warn({ err: error, leads: batch.length }, 'commit failed; trying again');
    if (attempt.number > 1) await clock.sleep(retryPauseMs);
    return this.#scoreAndCommit(batch, retryOf(attempt));
  }

  /** Also if the batch before was given up while PostgreSQL had this one. Otherwise its time begins after that one. */
  #isLate({ startedAt, before }: Attempt): boolean {
    const { clock, deadlineMs } = this.#deps;
    const begunAt = Math.max(startedAt, before.at);
    return startedAt < this.#gaveUpAt || clock.monotonic() - begunAt >= deadlineMs * lateShare;
  }

  async #commitHalves(batch: readonly Waiting[], attempt: Attempt): Promise<readonly Committed[]> {
    const middle = Math.ceil(batch.length / 2);
    const first = await this.#scoreAndCommit(batch.slice(0, middle), attempt);
    return first.concat(await this.#scoreAndCommit(batch.slice(middle), attempt));
  }

  async #commitRefused(
    batch: readonly Waiting[],
    attempt: Attempt,
    error: unknown,
  ): Promise<readonly Committed[]> {
    const waiting = batch[0] as Waiting;
    const { submission } = waiting;
    const { submissionId } = submission.lead;
    this.#deps.log.error({ err: error, submission_id: submissionId }, 'PostgreSQL refused a lead');
    if (!submission.strip()) return [{ waiting, result: { kind: 'unavailable' } }];
    return this.#scoreAndCommit(batch, attempt);
  }

  #committedBy(batch: readonly Waiting[], exceptions: readonly CommitException[]): readonly Committed[] {
    const byPlace = new Map(exceptions.map((exception) => [exception.place, exception]));
    return batch.map((waiting, place) => {
      const exception = byPlace.get(place);
      const { submission } = waiting;
      // The key has expired and is used again.
      if (exception?.outcome === 'taken') submission.renew(this.#deps.nextId(submission.lead));
      return { waiting, result: resultOf(submission.lead, exception) };
    });
  }
}

/**
 * Scores a whole batch in a row, so that rules, tables and models stay in the processor's cache. This takes a third of the
 * time of scoring each lead as it arrives (docs/performance.md).
 */
function score(batch: readonly Waiting[]): StorableLead[] {
  return batch.map(({ submission }) => submission.score());
}

function retryOf(attempt: Attempt): Attempt {
  return { ...attempt, number: attempt.number + 1, isRetry: true };
}
