import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { onlyRow } from '../sql.ts';

/** What waits in the database for somebody to deal with it. */
export interface Backlog {
  /** Spooled leads that could not be stored. */
  readonly quarantined: number;
  /** Those of them that wait for an operator's decision. */
  readonly refused: number;
  /** Commits whose leads are not yet in an enrichment job. */
  readonly noted: number;
  readonly waiting: number;
  readonly failed: number;
}

// Past this, the exact number tells nobody more, and counting would begin to cost.
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
