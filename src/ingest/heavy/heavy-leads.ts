import type { Logger } from 'pino';
import { type BodyRejectionReason, withoutByteOrderMark } from '../../domain/lead/lead.ts';
import type { RepeatMemory, Sightings } from '../../domain/score/repeat-memory.ts';
import type { Clock } from '../../time/clock.ts';
import { fallbackScore, type ScoreResult } from '../commit/score.ts';
import { emptyProjection } from '../commit/stripped-lead.ts';
import type { Keyed } from '../parse.ts';
import { FairQueue } from './fair-queue.ts';
import { HeavyThread, type ThreadJob } from './heavy-thread.ts';

export interface HeavyLeadsDeps {
  readonly clock: Clock;
  readonly repeats: RepeatMemory;
  readonly log: Logger;
  readonly meter: HeavyMeter;
  /** For tests of a thread that dies. */
  readonly workerFile?: URL | undefined;
}

export interface HeavyMeter {
  onHeavy(): void;
  onThreadDied(): void;
}

/** The result of parsing a body in the thread, with a score where one was wanted. */
type ThreadResult =
  | { readonly kind: 'lead'; readonly projection: Buffer; readonly scoreResult: ScoreResult }
  | { readonly kind: 'unstorable'; readonly reason: BodyRejectionReason }
  /** The sender gets no response and tries again. */
  | { readonly kind: 'unavailable' };

/** A request whose body was parsed and scored in the thread. The fields of the lead stay there. */
class HeavyParsed {
  declare protected readonly stage: 'parsed';
  readonly kind = 'parsed';
  readonly keyed: Keyed;
  readonly projection: Buffer;
  readonly scoreResult: ScoreResult;

  constructor(keyed: Keyed, projection: Buffer, scoreResult: ScoreResult) {
    this.keyed = keyed;
    this.projection = projection;
    this.scoreResult = scoreResult;
  }
}

export type { HeavyParsed };

export type HeavyResult = HeavyParsed | Exclude<ThreadResult, { kind: 'lead' }>;

interface Job extends Pick<ThreadJob, 'body' | 'now' | 'scoring' | 'page'> {
  readonly formId: string | null;
  readonly settle: (result: ThreadResult) => void;
  sightings: Sightings | null;
  deaths: number;
}

/**
 * A sender behind a longer queue would time out before its turn. So both limits are for one thread and its queue: with
 * several workers, each has a thread, and a sender waits only for the one of the worker that its connection reached.
 */
const perWorkspaceMax = 100;
const bytesMax = 16 * 1024 * 1024;
/** The thread may die for another reason than this body, so each body gets a second attempt. */
const deathsMax = 2;
const drainOwner = 'drain';

/**
 * Uses a thread to parse and score bodies that would block all other requests: one at a time, one of each workspace in
 * turn. Only the main thread knows earlier leads, so the other one asks it for sightings (`messages.ts`).
 */
export class HeavyLeads {
  readonly #deps: HeavyLeadsDeps;
  readonly #queue = new FairQueue<Job>({
    perOwnerMax: perWorkspaceMax,
    bytesMax,
    onEvicted: ({ settle }) => settle({ kind: 'unavailable' }),
  });
  readonly #thread: HeavyThread;
  #job: Job | null = null;
  #onIdle: (() => void)[] = [];

  constructor(deps: HeavyLeadsDeps) {
    this.#deps = deps;
    this.#thread = new HeavyThread(deps);
  }

  /** Waiting bodies. */
  get depth(): number {
    return this.#queue.length;
  }

  async parse(keyed: Keyed): Promise<HeavyResult> {
    const { received, form, workspace, page } = keyed.sender;
    const { body, arrival } = received;
    const signals = page?.signals ?? null;
    const heavy = { body, now: arrival.at, scoring: form.scoring, formId: form.id, page: signals };
    const result = await this.#add(workspace.id, heavy);
    if (result.kind !== 'lead') return result;
    return new HeavyParsed(keyed, result.projection, result.scoreResult);
  }

  /** The projection of a spooled lead; empty if the thread dies of it. */
  async project(body: Buffer): Promise<Buffer> {
    const result = await this.#add(drainOwner, { body, now: 0, scoring: null, formId: null, page: null });
    return result.kind === 'lead' ? result.projection : emptyProjection;
  }

  /** Resolves when every body has its result. */
  async idle(): Promise<void> {
    while (this.#job !== null) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    // Lets the code that waits for the last result run first.
    await this.#deps.clock.turn();
  }

  async stop(): Promise<void> {
    await this.idle();
    await this.#thread.stop();
  }

  #add(owner: string, heavy: Omit<Job, 'settle' | 'sightings' | 'deaths'>): Promise<ThreadResult> {
    return new Promise((settle) => {
      const job = { ...heavy, settle, sightings: null, deaths: 0 };
      // The drain has one body at a time. It counts as empty, so that a flood of new bodies cannot keep it out.
      const bytes = owner === drainOwner ? 0 : heavy.body.length;
      if (this.#queue.add(owner, job, bytes)) this.#next();
      else settle({ kind: 'unavailable' });
    });
  }

  #next(): void {
    if (this.#job !== null) return;
    this.#job = this.#queue.take();
    if (this.#job !== null) this.#run(this.#job);
    else for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #run(job: Job): void {
    const { repeats, meter } = this.#deps;
    const { body, now, scoring, page, formId } = job;
    const see: ThreadJob['see'] = (print) => {
      job.sightings = repeats.see(formId ?? '', print, now);
      return job.sightings;
    };
    const done: ThreadJob['done'] = (answer) => {
      if (answer !== 'died') {
        meter.onHeavy();
        return this.#settle(job, this.#resultOf(job, answer));
      }
      meter.onThreadDied();
      job.sightings?.forget();
      job.sightings = null;
      if (++job.deaths < deathsMax) this.#run(job);
      else this.#settle(job, { kind: 'unavailable' });
    };
    this.#thread.run({ body, now, scoring, page, see, done });
  }

  #resultOf(job: Job, answer: Exclude<Parameters<ThreadJob['done']>[0], 'died'>): ThreadResult {
    if (answer.kind === 'unstorable') return answer;
    const { projection, score, error } = answer;
    // Stored all the same, like any lead that cannot be scored.
    if (error !== null)
      this.#deps.log.error({ error, form_id: job.formId }, 'scoring failed; storing the lead as suspect');
    return {
      kind: 'lead',
      projection:
        projection === null ? withoutByteOrderMark(job.body) : Buffer.from(projection.buffer as ArrayBuffer),
      scoreResult: { score: score ?? fallbackScore, forget: () => job.sightings?.forget() },
    };
  }

  #settle(job: Job, result: ThreadResult): void {
    job.settle(result);
    this.#job = null;
    this.#next();
  }
}
