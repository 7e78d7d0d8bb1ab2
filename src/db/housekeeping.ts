import type { Queryable } from './pool.ts';

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
  const { rowCount } = await db.query(
    `delete from idempotency_keys where ctid = any (array(
       select ctid from idempotency_keys where shard = $1 and expires_at <= $2 limit $3 for update skip locked))`,
    [shard, new Date(now), rowsMax],
  );
  return rowCount ?? 0;
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
  await db.query(
    `delete from spool_quarantine where id = any (array(
       select id from spool_quarantine where reason = 'other_body' and at < $1 limit $2 for update skip locked))`,
    [new Date(before), rowsMax],
  );
}

/** Nothing can be on its way any more that would have to be recognised by it. */
export async function forgetErasedBodies(db: Queryable, shard: number, before: number): Promise<void> {
  await db.query(
    'update lead_erasures set body_hash = null where shard = $1 and erased_at < $2 and body_hash is not null',
    [shard, new Date(before)],
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
  await db.query('delete from unattributed_counts where minute < $1', [new Date(before)]);
}

export async function deleteOldFlushes(db: Queryable, before: number): Promise<void> {
  await db.query('delete from diagnostic_flushes where flushed_at < $1', [new Date(before)]);
}

/** What people did stays; what strangers caused goes. */
export async function deleteOldEventsOfStrangers(db: Queryable, before: number): Promise<void> {
  await db.query("delete from audit_log where actor_kind = 'nobody' and at < $1", [new Date(before)]);
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
  const { rowCount } = await db.query(
    `delete from ${table} where ctid = any (array(
       select ctid from ${table} where shard = $1 and ${column} < $2 limit $3 for update skip locked))`,
    [shard, new Date(before), rowsMax],
  );
  return rowCount ?? 0;
}
