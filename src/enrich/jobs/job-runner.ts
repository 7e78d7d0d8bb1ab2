import { EventEmitter } from 'node:events';
import {
  Logger as JobLogger,
  type LogLevel,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { releaseJobsOf } from '../../db/enrichment/enrichment-jobs.ts';

export interface JobRunnerDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

/** Processes jobs of the queue. It ends when it loses the database; its owner starts it again. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #taskList: TaskList;
  readonly #concurrency: number;
  readonly #workerIds = new Set<string>();
  #runner: Runner | null = null;
  #isStopping = false;

  constructor(deps: JobRunnerDeps, concurrency: number, taskList: TaskList) {
    this.#deps = deps;
    this.#concurrency = concurrency;
    this.#taskList = taskList;
  }

  /** Resolves when the runner has ended. */
  async run(): Promise<void> {
    const { pool, log } = this.#deps;
    // A runner that lost the database could not report that it has stopped working on its jobs.
    await releaseJobsOf(pool, [...this.#workerIds]);
    this.#workerIds.clear();
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => this.#workerIds.add(workerPool.id));
    const runner = await run({
      events,
      pgPool: pool,
      concurrency: this.#concurrency,
      noHandleSignals: true,
      logger: quietLogger(log),
      // With a delay, even of zero, a lost database ends the runner; without it, the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: this.#taskList,
    });
    this.#runner = runner;
    if (this.#isStopping) await runner.stop().catch(() => {});
    await runner.promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#runner?.stop().catch(() => {});
  }
}

/** Messages of the job library are logged at debug level, its errors at ours. */
function quietLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level: LogLevel, message: string) => {
    if (level === 'error' || level === 'warning') log.warn({ jobs: message }, 'enrichment job message');
    else log.debug({ jobs: message }, 'enrichment job message');
  });
}
