import { sql } from 'kysely';
import type pg from 'pg';
import type { LeadRef } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { run } from '../sql.ts';

/**
 * Releases the jobs of workers that ended without doing so. The job library would keep such a job locked for four hours.
 * Running a job twice is harmless.
 */
export async function releaseJobsOf(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await run(pool, sql`select graphile_worker.force_unlock_workers(${workerIds})`);
}

/** The same for workers of killed instances: no job runs as long as `claimedMs`. */
export async function releaseAbandonedJobs(pool: pg.Pool, claimedMs: number): Promise<void> {
  await run(
    pool,
    sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs where locked_at < now() - make_interval(secs => ${claimedMs} / 1000.0)
      having count(*) > 0`,
  );
}

/** Jobs that run twice, or are about leads that are not clean, change nothing. */
export async function addEnrichJob(db: Queryable, leads: readonly LeadRef[], delayMs: number): Promise<void> {
  const tuples = leads.map(({ shard, workspaceId, submissionId }) => [shard, workspaceId, submissionId]);
  await run(
    db,
    sql`
      select graphile_worker.add_job('enrich', ${JSON.stringify({ leads: tuples })}::json,
        run_at => now() + make_interval(secs => ${delayMs} / 1000.0), max_attempts => 10)`,
  );
}

export interface LookupJob {
  /** Jobs of one queue run one after the other; null for jobs that may run in parallel. */
  readonly queue: string | null;
  readonly payload: object;
  readonly delayMs: number;
}

/** Adds lookups in the transaction that makes them necessary, so that none is lost and none starts too early. */
export async function addLookupJobs(client: pg.PoolClient, jobs: readonly LookupJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  const queues = jobs.map(({ queue }) => queue);
  const delays = jobs.map(({ delayMs }) => delayMs);
  await run(
    client,
    sql`
      select graphile_worker.add_job('look_up', payload, queue, now() + make_interval(secs => delay_ms / 1000.0), 10)
      from unnest(${payloads}::json[], ${queues}::text[], ${delays}::float8[]) as i (payload, queue, delay_ms)`,
  );
}
