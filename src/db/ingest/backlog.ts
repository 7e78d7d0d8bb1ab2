import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { onlyRow } from '../sql.ts';
import { isUnavailable } from '../unavailable.ts';

/** Rows in the database that wait to be processed. */
export interface Backlog {
  /** Spooled leads that could not be stored. */
  readonly quarantined: number;
  /** Quarantined leads that wait for an operator's decision. */
  readonly refused: number;
  /** Commits whose leads are not yet in an enrichment job. Null while a node of a cluster is unavailable. */
  readonly noted: number | null;
  readonly waiting: number;
  readonly failed: number;
  /** For how long the oldest job that is due has been waiting. Null if none is. */
  readonly oldestMs: number | null;
}

// Above this, the exact number adds nothing, and counting becomes expensive.
const countedMax = 100_000;

const upTo = (rows: RawBuilder<unknown>) =>
  sql`(select count(*) from (select 1 from ${rows} limit ${countedMax}) as counted)`;

export async function countBacklog(db: Queryable): Promise<Backlog> {
  const backlog = await onlyRow(
    db,
    sql<Omit<Backlog, 'noted'>>`
      select ${upTo(sql`spool_quarantine`)} as quarantined,
        ${upTo(sql`spool_quarantine where reason = 'refused'`)} as refused,
        ${upTo(sql`graphile_worker.jobs where attempts < max_attempts`)} as waiting,
        ${upTo(sql`graphile_worker.jobs where attempts >= max_attempts`)} as failed,
        (select extract(epoch from clock_timestamp() - min(run_at)) * 1000 from (
          select run_at from graphile_worker.jobs
          where attempts < max_attempts and locked_at is null and run_at <= now() limit ${countedMax}) as due)::float8
          as "oldestMs"`,
  );
  return { ...backlog, noted: await countNotes(db) };
}

/** Separate, because on Citus this asks all nodes, and an operator needs the other numbers while one of them is down. */
async function countNotes(db: Queryable): Promise<number | null> {
  try {
    const { noted } = await onlyRow(
      db,
      sql<{ noted: number }>`select ${upTo(sql`enrichment_outbox`)} as noted`,
    );
    return noted;
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

/** The part of the backlog that charts show. */
export async function countWaitingJobs(db: Queryable): Promise<number> {
  const { waiting } = await onlyRow(
    db,
    sql<{ waiting: number }>`select count(*) as waiting from (
      select from graphile_worker.jobs where attempts < max_attempts limit ${countedMax}) as counted`,
  );
  return waiting;
}
