import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { onlyRow } from '../sql.ts';

/** Rows in the database that wait to be processed. */
export interface Backlog {
  /** Spooled leads that could not be stored. */
  readonly quarantined: number;
  /** Quarantined leads that wait for an operator's decision. */
  readonly refused: number;
  /** Commits whose leads are not yet in an enrichment job. */
  readonly noted: number;
  readonly waiting: number;
  readonly failed: number;
}

// Above this, the exact number adds nothing, and counting becomes expensive.
const countedMax = 100_000;

export async function countBacklog(db: Queryable): Promise<Backlog> {
  const upTo = (rows: RawBuilder<unknown>) =>
    sql`(select count(*) from (select from ${rows} limit ${countedMax}) as counted)`;
  return onlyRow(
    db,
    sql<Backlog>`
      select ${upTo(sql`spool_quarantine`)} as quarantined,
        ${upTo(sql`spool_quarantine where reason = 'refused'`)} as refused,
        ${upTo(sql`enrichment_outbox`)} as noted,
        ${upTo(sql`graphile_worker.jobs where attempts < max_attempts`)} as waiting,
        ${upTo(sql`graphile_worker.jobs where attempts >= max_attempts`)} as failed`,
  );
}
