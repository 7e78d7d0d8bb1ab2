import { sql } from 'kysely';
import type { Queryable } from './pool.ts';
import { changedBy, run } from './sql.ts';

/**
 * Deletes what has had its time, a bounded number of rows of one shard per call. Walking the shards by the
 * primary key needs no index on times, which every insert of a lead would have to pay for.
 */
export async function deleteExpiredKeys(
  db: Queryable,
  shard: number,
  now: number,
  rowsMax: number,
): Promise<number> {
  return changedBy(
    db,
    sql`delete from idempotency_keys where ctid = any (array(
        select ctid from idempotency_keys where shard = ${shard} and expires_at <= ${new Date(now)}
        limit ${rowsMax} for update skip locked))`,
  );
}

export async function deleteOldEntries(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'rejection_entries', 'at', shard, before, rowsMax);
}

export async function deleteOldNotes(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'diagnostic_notes', 'at', shard, before, rowsMax);
}

export async function deleteOldRejectedRequests(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'rejected_requests', 'at', shard, before, rowsMax);
}

export async function deleteOldCounts(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'outcome_counts', 'minute', shard, before, rowsMax);
}

export async function deleteOldFormerSecretUses(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'former_secret_uses', 'minute', shard, before, rowsMax);
}

/** Those of the other kind were answered with 202 and are nowhere else: they wait for an operator. */
export async function deleteOldOtherBodies(db: Queryable, before: number, rowsMax: number): Promise<void> {
  await run(
    db,
    sql`delete from spool_quarantine where id = any (array(
        select id from spool_quarantine where reason = 'other_body' and at < ${new Date(before)}
        limit ${rowsMax} for update skip locked))`,
  );
}

/** Nothing can be on its way any more that would have to be recognised by it. */
export async function forgetErasedBodies(db: Queryable, shard: number, before: number): Promise<void> {
  await run(
    db,
    sql`update lead_erasures set body_hash = null
      where shard = ${shard} and erased_at < ${new Date(before)} and body_hash is not null`,
  );
}

export async function deleteOldErasures(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return deleteBefore(db, 'lead_erasures', 'erased_at', shard, before, rowsMax);
}

export async function deleteOldUnattributed(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from unattributed_counts where minute < ${new Date(before)}`);
}

export async function deleteOldFlushes(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from diagnostic_flushes where flushed_at < ${new Date(before)}`);
}

/** What people did stays; what strangers caused goes. */
export async function deleteOldEventsOfStrangers(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from audit_log where actor_kind = 'nobody' and at < ${new Date(before)}`);
}

async function deleteBefore(
  db: Queryable,
  table:
    | 'rejection_entries'
    | 'rejected_requests'
    | 'diagnostic_notes'
    | 'outcome_counts'
    | 'former_secret_uses'
    | 'lead_erasures',
  column: 'at' | 'minute' | 'erased_at',
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return changedBy(
    db,
    sql`delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where shard = ${shard} and ${sql.ref(column)} < ${new Date(before)}
        limit ${rowsMax} for update skip locked))`,
  );
}
