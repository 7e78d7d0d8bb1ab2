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
