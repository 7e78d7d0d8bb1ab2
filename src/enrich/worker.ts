import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobLogger, type LogLevel, run } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
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

export interface Enrichment {
  stop(): Promise<void>;
}

const relayMs = 500;
const notesPerJobMax = 20;
const yieldMs = 200;
const yieldMsMax = 30_000;

const payloadShape = z.object({ leads: z.array(z.tuple([z.number(), z.string(), z.string()])) });

/**
 * Commits note their clean leads in an outbox; the relay turns the notes into jobs, the runner works them off. A
 * job that fails is tried again, later and later.
 */
export async function startEnrichment(deps: EnrichmentDeps): Promise<Enrichment> {
  const runner = await run({
    pgPool: deps.pool,
    concurrency: 1,
    noHandleSignals: true,
    logger: quietLogger(deps.log),
    taskList: {
      enrich: async (payload) => {
        await giveWay(deps.isBusy);
        await enrichLeads(payloadShape.parse(payload).leads, deps);
      },
    },
  });
  const stopping = new AbortController();
  const relaying = relay(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await relaying;
      await runner.stop();
    },
  };
}

async function relay({ pool, log, isBusy }: EnrichmentDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const isMore = !isBusy() && (await turnNotesIntoJob(pool, notesPerJobMax));
      if (!isMore) await sleep(relayMs, undefined, { signal: stopping }).catch(() => {});
    } catch (error) {
      log.warn({ err: error }, 'enrichment could not be scheduled and is tried again');
      await sleep(relayMs, undefined, { signal: stopping }).catch(() => {});
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

async function giveWay(isBusy: () => boolean): Promise<void> {
  for (let waited = 0; isBusy() && waited < yieldMsMax; waited += yieldMs) await sleep(yieldMs);
}

/** The job library's chatter is debugging detail; its troubles are ours. */
function quietLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level: LogLevel, message: string) => {
    if (level === 'error' || level === 'warning') log.warn({ jobs: message }, 'enrichment');
    else log.debug({ jobs: message }, 'enrichment');
  });
}
