import { sql } from 'kysely';
import type { Queryable } from './pool.ts';
import { changedBy, run } from './sql.ts';

/*
 * Each call deletes a bounded number of expired rows in one shard. Walking the shards by the primary key needs no index
 * on times, which every insert of a lead would have to pay for. The shard is named outside the subquery, too: Citus only
 * sends a statement to one node if it can see there which one.
 */

/** Tables whose rows are deleted by age, and the column with their time. */
const ageColumns = {
  rejection_entries: 'at',
  rejected_requests: 'at',
  diagnostic_notes: 'at',
  outcome_counts: 'minute',
  former_secret_uses: 'minute',
  lead_erasures: 'erased_at',
  node_flushes: 'flushed_at',
  lead_events: 'at',
  delivery_attempts: 'at',
} as const;

export type AgingTable = keyof typeof ageColumns;

export async function deleteBefore(
  db: Queryable,
  table: AgingTable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<void> {
  await run(
    db,
    sql`delete from ${sql.table(table)} where shard = ${shard} and ctid = any (array(
        select ctid from ${sql.table(table)}
        where shard = ${shard} and ${sql.ref(ageColumns[table])} < ${new Date(before)}
        limit ${rowsMax} for update skip locked))`,
  );
}

/** What still waits, for example for a paused destination, is kept. */
export async function deleteOldDeliveries(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<void> {
  await run(
    db,
    sql`delete from deliveries where shard = ${shard} and ctid = any (array(
        select ctid from deliveries
        where shard = ${shard} and created_at < ${new Date(before)} and state <> 'pending'
        limit ${rowsMax} for update skip locked))`,
  );
}

export async function deleteOldReplays(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from delivery_replays where finished_at < ${new Date(before)}`);
}

export async function deleteExpiredKeys(
  db: Queryable,
  shard: number,
  now: number,
  rowsMax: number,
): Promise<number> {
  return changedBy(
    db,
    sql`delete from idempotency_keys where shard = ${shard} and ctid = any (array(
        select ctid from idempotency_keys where shard = ${shard} and expires_at <= ${new Date(now)}
        limit ${rowsMax} for update skip locked))`,
  );
}

/** Rows with the other reason, `refused`, are the only copy of an accepted lead: an operator decides about them. */
export async function deleteOldOtherBodies(db: Queryable, before: number, rowsMax: number): Promise<void> {
  await run(
    db,
    sql`delete from spool_quarantine where id = any (array(
        select id from spool_quarantine where reason = 'other_body' and at < ${new Date(before)}
        limit ${rowsMax} for update skip locked))`,
  );
}

/** The hash recognises rejected requests that were written late. None can be under way any more. */
export async function forgetErasedBodies(db: Queryable, shard: number, before: number): Promise<void> {
  await run(
    db,
    sql`update lead_erasures set body_hash = null
      where shard = ${shard} and erased_at < ${new Date(before)} and body_hash is not null`,
  );
}

export async function deleteOldUnattributed(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from unattributed_counts where minute < ${new Date(before)}`);
}

export async function deleteOldFlushes(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from diagnostic_flushes where flushed_at < ${new Date(before)}`);
}

/** What people did is kept permanently. What unauthenticated senders caused is not. */
export async function deleteOldUnauthenticatedEvents(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from audit_log where actor_kind = 'nobody' and at < ${new Date(before)}`);
}
