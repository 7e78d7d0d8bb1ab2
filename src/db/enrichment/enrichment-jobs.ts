import type pg from 'pg';

/**
 * Gives up the claims of workers that have ended without saying so. The job library would keep such a job
 * claimed for four hours; to run it again is harmless.
 */
export async function releaseJobsOf(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerIds]);
}

/** The same for workers of instances that were killed: no job runs as long as `claimedMs`. */
export async function releaseAbandonedJobs(pool: pg.Pool, claimedMs: number): Promise<void> {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
     from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1 / 1000.0)
     having count(*) > 0`,
    [claimedMs],
  );
}

export interface LookupJob {
  /** Jobs of one queue run one after the other; null for those that may run side by side. */
  readonly queue: string | null;
  readonly payload: object;
  readonly delayMs: number;
}

/** Plans lookups; with the transaction that makes them necessary, so that none is forgotten and none comes too early. */
export async function addLookupJobs(client: pg.PoolClient, jobs: readonly LookupJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await client.query(
    `select graphile_worker.add_job('look_up', payload, queue, now() + make_interval(secs => delay_ms / 1000.0), 10)
     from unnest($1::json[], $2::text[], $3::float8[]) as i (payload, queue, delay_ms)`,
    [
      jobs.map(({ payload }) => JSON.stringify(payload)),
      jobs.map(({ queue }) => queue),
      jobs.map(({ delayMs }) => delayMs),
    ],
  );
}
