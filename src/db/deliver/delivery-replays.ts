import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { DeliveryState } from '../../domain/destination/destination.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import { type DeliverySelection, selectedDeliveries } from './delivery-lists.ts';
import { laterDelivery } from './destination-days.ts';

/** A selection of deliveries that is sent again. */
export interface ReplayRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly selection: StoredSelection;
  /** Deliveries up to this one. */
  readonly lastId: string;
  /** The last one that was done; null at the start. */
  readonly afterId: string | null;
  readonly total: number;
  readonly done: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly finishedAt: Date | null;
}

/** As JSON has it. */
export interface StoredSelection {
  readonly destination_id?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function selectionOf({ destination_id, state, from, to }: StoredSelection): DeliverySelection {
  return {
    destinationId: destination_id,
    state,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

const columns = sql`id, workspace_id as "workspaceId", selection, last_id as "lastId", after_id as "afterId", total,
  done, created_at as "createdAt", created_by as "createdBy", finished_at as "finishedAt"`;

export async function insertReplay(db: Queryable, replay: ReplayRecord): Promise<void> {
  const { id, workspaceId, selection, lastId, total, createdAt, createdBy, finishedAt } = replay;
  await run(
    db,
    sql`insert into delivery_replays (id, workspace_id, selection, last_id, total, created_at, created_by, finished_at)
      values (${id}, ${workspaceId}, ${JSON.stringify(selection)}, ${lastId}, ${total}, ${createdAt}, ${createdBy},
        ${finishedAt})`,
  );
}

export async function findReplay(
  db: Queryable,
  workspaceId: string,
  replayId: string,
): Promise<ReplayRecord | null> {
  return firstRow(
    db,
    sql<ReplayRecord>`select ${columns} from delivery_replays
      where workspace_id = ${workspaceId} and id = ${replayId}`,
  );
}

/** One that is not finished, of the same selection. */
export async function findSameReplay(
  client: pg.PoolClient,
  workspaceId: string,
  selection: StoredSelection,
): Promise<ReplayRecord | null> {
  return firstRow(
    client,
    sql<ReplayRecord>`select ${columns} from delivery_replays
      where finished_at is null and workspace_id = ${workspaceId} and selection = ${JSON.stringify(selection)}::jsonb
      limit 1`,
  );
}

export async function countUnfinishedReplays(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from delivery_replays
      where finished_at is null and workspace_id = ${workspaceId}`,
  );
  return count;
}

/** Which part of a selection can be sent again. It stays the same while it is being sent. */
export interface ReplayRange {
  readonly selection: DeliverySelection;
  /** The destinations that exist. */
  readonly destinationIds: readonly string[];
  readonly afterId: string | null;
  readonly lastId: string;
}

export async function countReplayable(
  db: Queryable,
  workspaceId: string,
  range: ReplayRange,
  countMax: number,
): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{
      count: number;
    }>`select count(*) as count from (${replayable(workspaceId, range, countMax)}) as counted`,
  );
  return count;
}

export interface ReplayableDelivery {
  readonly id: string;
  readonly destinationId: string;
}

/** In the order of their IDs. */
export async function listReplayable(
  db: Queryable,
  workspaceId: string,
  range: ReplayRange,
  limit: number,
): Promise<ReplayableDelivery[]> {
  return rowsOf(
    db,
    sql<ReplayableDelivery>`select id, destination_id as "destinationId"
      from (${replayable(workspaceId, range, limit)}) as deliveries order by id`,
  );
}

/**
 * Deliveries that do not wait, of leads that were not erased, to destinations that exist. One that was sent again before is
 * left out: its replay counts instead, so that a receiver gets no event twice because it was replayed twice.
 */
function replayable(
  workspaceId: string,
  { selection, destinationIds, afterId, lastId }: ReplayRange,
  limit: number,
): RawBuilder<unknown> {
  const conditions = [
    sql`id <= ${lastId}`,
    ...(afterId === null ? [] : [sql`id > ${afterId}`]),
    sql`state <> 'pending'`,
    sql`destination_id = any (${destinationIds}::uuid[])`,
  ];
  const checks = [
    sql`(event_type = 'lead.erased' or (${leadOfDelivery(workspaceId)}))`,
    sql`(${laterDelivery(workspaceId, 'deliveries')} and later.id <= ${lastId} limit 1) is null`,
  ];
  return selectedDeliveries(workspaceId, selection, conditions, { direction: 'asc', limit, checks });
}

/** Not `exists`, for which PostgreSQL may read all leads of the workspace first. */
function leadOfDelivery(workspaceId: string): RawBuilder<unknown> {
  return sql`select true from leads where ${isShardOf(workspaceId, 'leads')} and leads.workspace_id = ${workspaceId}
    and leads.submission_id = deliveries.submission_id`;
}

/** What sending a delivery again depends on. */
export interface LockedDelivery {
  readonly id: string;
  readonly destinationId: string;
  readonly submissionId: string | null;
  readonly state: DeliveryState;
}

/** Until the end of the transaction, nobody else sends it again. */
export async function lockDelivery(
  client: pg.PoolClient,
  workspaceId: string,
  deliveryId: string,
): Promise<LockedDelivery | null> {
  return firstRow(
    client,
    sql<LockedDelivery>`
      select id, destination_id as "destinationId", submission_id as "submissionId", state
      from deliveries where ${inWorkspace(workspaceId)} and id = ${deliveryId} for update`,
  );
}

/** A replay of a delivery that still waits, or was created after this time. */
export async function findRecentReplay(
  client: pg.PoolClient,
  workspaceId: string,
  { id, submissionId }: LockedDelivery,
  createdAfter: Date,
): Promise<string | null> {
  const ofLead = submissionId === null ? sql`submission_id is null` : sql`submission_id = ${submissionId}`;
  const found = await firstRow(
    client,
    sql<{ id: string }>`
      select id from deliveries
      where ${inWorkspace(workspaceId)} and ${ofLead} and replay_of = ${id}
        and (state = 'pending' or created_at > ${createdAfter})
      order by id desc limit 1`,
  );
  return found?.id ?? null;
}

/** The same event to the same destination, due immediately. */
export async function insertReplayed(
  client: pg.PoolClient,
  workspaceId: string,
  deliveryId: string,
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<void> {
  await run(
    client,
    sql`insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, event_data,
        submission_id, state, next_at, created_at, replay_of)
      select shard, workspace_id, ${id}::uuid, destination_id, event_id, event_type, event_at,
        event_data, submission_id, 'pending', ${at}::timestamptz, ${at}::timestamptz, id
      from deliveries where ${inWorkspace(workspaceId)} and id = ${deliveryId}`,
  );
}

/** Makes a delivery that waits due. */
export async function hastenDelivery(
  client: pg.PoolClient,
  workspaceId: string,
  deliveryId: string,
  at: Date,
): Promise<void> {
  await run(
    client,
    sql`update deliveries set next_at = least(next_at, ${at}::timestamptz)
      where ${inWorkspace(workspaceId)} and id = ${deliveryId} and state = 'pending'`,
  );
}

/** Cancels some deliveries that wait for a destination. Returns how many. */
export async function cancelWaiting(
  db: Queryable,
  workspaceId: string,
  destinationId: string,
  why: string,
  countMax: number,
): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      with cancelled as (
        update deliveries set state = 'cancelled', last_error = ${why}
        where ${inWorkspace(workspaceId)} and state = 'pending' and id = any (array(
          select id from deliveries
          where ${inWorkspace(workspaceId)} and destination_id = ${destinationId} and state = 'pending' limit ${countMax}))
        returning 1
      )
      select count(*) as count from cancelled`,
  );
  return count;
}
