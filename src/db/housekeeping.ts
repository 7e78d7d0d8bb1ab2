import { type RawBuilder, sql } from 'kysely';
import { firstDeliveryId } from '../domain/destination/delivery-id.ts';
import type { Queryable } from './pool.ts';
import { changedBy, run } from './sql.ts';

/*
 * Each call deletes a bounded number of expired rows in one shard, and most return how many. Walking the shards by the primary key needs no index
 * on times, which every insert of a lead would have to pay for. The shard is named outside the subquery, too: Citus only
 * sends a statement to one node if it can see there which one.
 */

/** Tables whose rows are deleted by age, and the column with their time. */
const ageColumns = {
  rejection_entries: 'at',
  diagnostic_notes: 'at',
  outcome_counts: 'minute',
  former_secret_uses: 'minute',
  lead_erasures: 'erased_at',
  node_flushes: 'flushed_at',
  mint_counts: 'minute',
  clock_drifts: 'minute',
  handling_times: 'minute',
} as const;

export type AgingTable = keyof typeof ageColumns;

export async function deleteBefore(
  db: Queryable,
  table: AgingTable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  return changedBy(
    db,
    sql`delete from ${sql.table(table)} where shard = ${shard} and ctid = any (array(
        select ctid from ${sql.table(table)}
        where shard = ${shard} and ${sql.ref(ageColumns[table])} < ${new Date(before)}
        limit ${rowsMax} for update skip locked))`,
  );
}

/**
 * Of tables that are too large to be read for it. Every workspace with rows there has a counter of events, and `old` finds
 * those of the workspace `w` by the primary key, of which `id` is the last column that it needs.
 */
function deleteOfWorkspaces(
  db: Queryable,
  { table, id, old }: { readonly table: string; readonly id: string; readonly old: RawBuilder<unknown> },
  shard: number,
  rowsMax: number,
): Promise<number> {
  return changedBy(
    db,
    sql`delete from ${sql.table(table)} where shard = ${shard} and ctid = any (array(
        select found.ctid from event_counters w cross join lateral (
          select ctid from ${sql.table(table)} where shard = ${shard} and workspace_id = w.workspace_id and ${old}
          order by ${sql.ref(id)} limit ${rowsMax} for update skip locked) as found
        where w.shard = ${shard} limit ${rowsMax}))`,
  );
}

/** Events are numbered nearly in the order of their times: if the first of a workspace is not old, none is looked for. */
export function deleteOldEvents(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  const at = new Date(before);
  const first = sql`(select case when first.at < ${at} then first.id end from lead_events first
    where first.shard = ${shard} and first.workspace_id = w.workspace_id order by first.id limit 1)`;
  const old = sql`id < ${first} + ${rowsMax}::int and at < ${at}`;
  return deleteOfWorkspaces(db, { table: 'lead_events', id: 'id', old }, shard, rowsMax);
}

export function deleteOldAttempts(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  const at = new Date(before);
  const old = sql`delivery_id < ${firstDeliveryId(at)} and at < ${at}`;
  return deleteOfWorkspaces(db, { table: 'delivery_attempts', id: 'delivery_id', old }, shard, rowsMax);
}

/** Even if it still waits: a destination that was paused and forgotten would collect leads without end. */
export function deleteOldDeliveries(
  db: Queryable,
  shard: number,
  before: number,
  rowsMax: number,
): Promise<number> {
  const old = sql`id < ${firstDeliveryId(new Date(before))}`;
  return deleteOfWorkspaces(db, { table: 'deliveries', id: 'id', old }, shard, rowsMax);
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
