import type { Clock } from '../../../time/clock.ts';
import { WorkQueue } from './work-queue.ts';
import { type Work, WorkThread, type WorkThreadDeps } from './work-thread.ts';

export interface WorkChecksDeps extends WorkThreadDeps {
  readonly clock: Pick<Clock, 'deadline' | 'turn' | 'monotonic'>;
}

/** `dropped`: too many are waiting, it waited too long, the thread died, or the service stops. */
export type WorkResult = 'solved' | 'wrong' | 'dropped';

interface Job extends Work {
  readonly since: number;
  readonly settle: (result: WorkResult) => void;
}

/** A page would not wait longer. */
const waitMsMax = 10_000;

/**
 * 250 a second, which is many times what visitors of a busy site need. A flood of wrong solutions cannot use more than a
 * quarter of a core, and waits for itself.
 */
const paceMs = 4;

/** Checks solutions on a thread, one at a time, each form and network in turn. */
export class WorkChecks {
  readonly #deps: WorkChecksDeps;
  readonly #thread: WorkThread;
  readonly #queue = new WorkQueue<Job>({ onEvicted: ({ settle }) => settle('dropped') });
  #isBusy = false;
  #isPaused = false;
  #lastStartAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(deps: WorkChecksDeps) {
    this.#deps = deps;
    this.#thread = new WorkThread(deps);
  }

  /** Waiting solutions. */
  get depth(): number {
    return this.#queue.length;
  }

  /** False when a solution would certainly be dropped. */
  mayAccept(formId: string, network: string): boolean {
    return this.#queue.mayAccept(formId, network);
  }

  check(formId: string, network: string, work: Work): Promise<WorkResult> {
    return new Promise((settle) => {
      const job = { ...work, since: this.#deps.clock.monotonic(), settle };
      if (this.#isStopped || !this.#queue.add(formId, network, job)) settle('dropped');
      else this.#next();
    });
  }

  /** Drops what waits. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (let job = this.#queue.take(); job !== null; job = this.#queue.take()) job.settle('dropped');
    await this.#thread.stop();
  }

  #next(): void {
    while (!this.#isBusy && !this.#isPaused && this.#queue.length > 0) {
      const pauseMs = this.#lastStartAt + paceMs - this.#deps.clock.monotonic();
      if (pauseMs > 0) this.#pause(pauseMs);
      else this.#startNext();
    }
  }

  #pause(ms: number): void {
    this.#isPaused = true;
    this.#deps.clock.deadline(ms, () => {
      this.#isPaused = false;
      this.#next();
    });
  }

  #startNext(): void {
    const job = this.#queue.take() as Job;
    if (this.#deps.clock.monotonic() - job.since > waitMsMax) job.settle('dropped');
    else this.#run(job);
  }

  #run(job: Job): void {
    this.#isBusy = true;
    this.#lastStartAt = this.#deps.clock.monotonic();
    this.#thread.run(job, (result) => {
      this.#isBusy = false;
      job.settle(result === 'died' ? 'dropped' : result ? 'solved' : 'wrong');
      this.#next();
    });
  }
}
