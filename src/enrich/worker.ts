import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobLogger, type LogLevel, type Runner, run } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { readLeadsToEnrich, storeEnrichments } from '../db/lead-enrichments.ts';
import { enrichBuiltin } from './enrich.ts';

export interface EnrichmentDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** True while this process has more pressing work: senders wait for their answers, nobody for enrichment. */
  readonly isBusy: () => boolean;
}

const pollMs = 1_000;
const yieldMs = 200;
const yieldMsMax = 30_000;

/** Written by ingest_commit: one job for all clean leads of a batch. */
const payloadShape = z.object({ leads: z.array(z.tuple([z.number(), z.string(), z.string()])) });

/** Runs the jobs that the commits of clean leads leave behind; a job that fails is tried again, later and later. */
export function startEnrichment(deps: EnrichmentDeps): Promise<Runner> {
  return run({
    pgPool: deps.pool,
    concurrency: 1,
    pollInterval: pollMs,
    noHandleSignals: true,
    logger: quietLogger(deps.log),
    taskList: {
      enrich: async (payload) => {
        await giveWay(deps.isBusy);
        await enrichLeads(payloadShape.parse(payload).leads, deps);
      },
    },
  });
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
