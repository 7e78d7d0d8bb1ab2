import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobLogger, type LogLevel, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { releaseAbandonedJobs, releaseJobsOf } from '../db/enrichment-jobs.ts';
import { turnNotesIntoJob } from '../db/enrichment-outbox.ts';
import { readLeadsToEnrich, storeEnrichments } from '../db/lead-enrichments.ts';
import { enrichBuiltin } from './enrich.ts';

export interface EnrichmentDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** True while this process has more pressing work: senders wait for their answers, nobody for enrichment. */
  readonly isBusy: () => boolean;
}

const pauseMs = 500;
const notesPerJobMax = 20;
const yieldMs = 200;
const yieldMsMax = 30_000;
// Far longer than a job may take, with all its waiting.
const claimMsMax = 300_000;
const reclaimMs = 60_000;

const payloadShape = z.object({ leads: z.array(z.tuple([z.number(), z.string(), z.string()])) });

/**
 * Commits note their batches in an outbox; the relay turns the notes into jobs, the runner works them off. A job
 * that fails is tried again, later and later. A runner that loses the database ends; another takes its place.
 */
export class Enrichment {
  readonly #deps: EnrichmentDeps;
  readonly #stopping = new AbortController();
  #loops: Promise<unknown> = Promise.resolve();
  #runner: Runner | null = null;
  readonly #workerIds = new Set<string>();

  constructor(deps: EnrichmentDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loops = Promise.all([
      this.#untilStopped(() => this.#relay(), pauseMs),
      this.#untilStopped(() => this.#runJobs(), pauseMs),
      this.#untilStopped(() => releaseAbandonedJobs(this.#deps.pool, claimMsMax), reclaimMs),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runner?.stop().catch(() => {});
    await this.#loops;
  }

  /** Repeats the work with pauses; a fault costs one round. */
  async #untilStopped(work: () => Promise<void>, pauseMs: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'enrichment was interrupted and goes on in a moment');
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  async #relay(): Promise<void> {
    const { pool } = this.#deps;
    do await this.#giveWay();
    while (!this.#stopping.signal.aborted && (await turnNotesIntoJob(pool, notesPerJobMax)));
  }

  async #runJobs(): Promise<void> {
    // A runner that lost the database could not say that it had stopped working on its jobs.
    await releaseJobsOf(this.#deps.pool, [...this.#workerIds]);
    this.#workerIds.clear();
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => this.#workerIds.add(workerPool.id));
    const runner = await run({
      events,
      pgPool: this.#deps.pool,
      concurrency: 1,
      noHandleSignals: true,
      logger: quietLogger(this.#deps.log),
      // With a delay, even of nothing, a lost database ends the runner; without, it would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList: {
        enrich: async (payload) => {
          await this.#giveWay();
          await enrichLeads(payloadShape.parse(payload).leads, this.#deps);
        },
      },
    });
    this.#runner = runner;
    if (this.#stopping.signal.aborted) await runner.stop().catch(() => {});
    await runner.promise;
  }

  async #giveWay(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waited = 0; this.#deps.isBusy() && waited < yieldMsMax && !signal.aborted; waited += yieldMs) {
      await sleep(yieldMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function enrichLeads(
  leads: [number, string, string][],
  { pool, clock }: EnrichmentDeps,
): Promise<void> {
  const refs = leads.map(([shard, workspaceId, submissionId]) => ({ shard, workspaceId, submissionId }));
  const found = await readLeadsToEnrich(pool, refs);
  const enriched = found.map(({ fields, ...ref }) => ({ ...ref, data: enrichBuiltin(fields) }));
  if (enriched.length > 0) await storeEnrichments(pool, enriched, new Date(clock.now()));
}

/** The job library's chatter is debugging detail; its troubles are ours. */
function quietLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level: LogLevel, message: string) => {
    if (level === 'error' || level === 'warning') log.warn({ jobs: message }, 'enrichment');
    else log.debug({ jobs: message }, 'enrichment');
  });
}
