import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Cancel, Clock } from '../../../time/clock.ts';

/** A solution to be checked. All texts are used as they are, in UTF-8. */
export interface Work {
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly bits: number;
  readonly solution: string;
}

export interface WorkThreadDeps {
  readonly clock: Pick<Clock, 'deadline' | 'turn'>;
  readonly log: Logger;
  /** For tests of a thread that dies. */
  readonly workerFile?: URL | undefined;
}

type Done = (result: boolean | 'died') => void;

// In the package the sources are compiled, so the worker has the extension of this file.
const ownWorkerFile = new URL(`work-worker${extname(import.meta.filename)}`, import.meta.url);
/** It takes a millisecond, but a thread of low priority may wait long on a busy machine. */
const jobMsMax = 10_000;
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/**
 * A thread that checks solutions, one at a time. The first starts it; after it has died, the next starts another.
 *
 *   none → idle ⇄ busy → none
 */
export class WorkThread {
  readonly #deps: WorkThreadDeps;
  #worker: Worker | null = null;
  #done: Done | null = null;
  #unwatch: Cancel = () => {};
  #isStopping = false;

  constructor(deps: WorkThreadDeps) {
    this.#deps = deps;
  }

  /** The caller waits for `done` before the next. */
  run(work: Work, done: Done): void {
    if (this.#done !== null) throw new Error('the work thread is busy');
    this.#done = done;
    try {
      this.#worker ??= this.#start();
      const worker = this.#worker;
      const { nonce, salt, cost, bits, solution } = work;
      worker.postMessage({ nonce, salt, cost, bits, solution });
      this.#unwatch = this.#deps.clock.deadline(jobMsMax, () => void worker.terminate());
    } catch (error) {
      this.#deps.log.error({ err: error }, 'solution not passed to the work thread');
      void this.#deps.clock.turn().then(() => this.#finish('died'));
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#deps.workerFile ?? ownWorkerFile, { resourceLimits });
    // A page that waits for a token does not keep the process alive.
    worker.unref();
    worker.on('message', (isSolved: boolean) => {
      if (worker === this.#worker) this.#finish(isSolved);
    });
    worker.on('error', (error) => this.#onEnd(worker, error));
    worker.on('exit', () => this.#onEnd(worker, null));
    return worker;
  }

  #onEnd(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#done === null) return;
    if (!this.#isStopping) this.#deps.log.error({ err: error }, 'work thread crashed');
    this.#finish('died');
  }

  #finish(result: boolean | 'died'): void {
    const done = this.#done;
    this.#done = null;
    this.#unwatch();
    done?.(result);
  }
}
