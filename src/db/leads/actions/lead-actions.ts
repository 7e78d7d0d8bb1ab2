import { sql } from 'kysely';
import type pg from 'pg';
import type { Mark } from '../../../domain/lead/mark.ts';
import type { Position } from '../../keyset.ts';
import type { Queryable } from '../../pool.ts';
import { changedBy, firstRow, onlyRow, rowsOf, run } from '../../sql.ts';

/** Which leads, as JSON has it. The filter is as it was sent. */
export interface LeadSelection {
  readonly ids?: readonly string[] | undefined;
  readonly filter?: Readonly<Record<string, string>> | undefined;
}

export type StopReason = 'person' | 'permission' | 'failure';

/** Many leads that are being marked or erased. */
export interface LeadActionRecord {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: 'mark' | 'erasure' | 'undo';
  readonly mark: Mark | null;
  /** Of an undo: the action whose marks it takes back. */
  readonly undoes: string | null;
  /** Null for an undo, and once it has ended. */
  readonly selection: LeadSelection | null;
  readonly total: number;
  readonly isTotalExact: boolean;
  readonly done: number;
  readonly changed: number;
  /** The last one that was done, in the order of the list. In the order of IDs, it has no time. */
  readonly afterAt: Date | null;
  readonly afterId: string | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly actorKind: 'person' | 'api_key' | 'operator_key';
  readonly actorId: string | null;
  readonly failures: number;
  readonly stopReason: StopReason | null;
  readonly finishedAt: Date | null;
}

export interface ListedLeadAction extends LeadActionRecord {
  readonly isUndone: boolean;
}

const columns = sql`workspace_id as "workspaceId", id, kind, mark, undoes, selection, total,
  is_total_exact as "isTotalExact", done, changed, after_at as "afterAt", after_id as "afterId",
  created_at as "createdAt", created_by as "createdBy", actor_kind as "actorKind", actor_id as "actorId", failures,
  stop_reason as "stopReason", finished_at as "finishedAt"`;

const listed = sql`${columns}, exists (
  select from lead_actions u where u.workspace_id = a.workspace_id and u.undoes = a.id) as "isUndone"`;

export async function insertLeadAction(client: pg.PoolClient, action: LeadActionRecord): Promise<void> {
  const { workspaceId, id, kind, mark, undoes, selection, total, isTotalExact } = action;
  const { createdAt, createdBy, actorKind, actorId, finishedAt } = action;
  const json = selection === null ? null : JSON.stringify(selection);
  await run(
    client,
    sql`insert into lead_actions (workspace_id, id, kind, mark, undoes, selection, total, is_total_exact, created_at,
        created_by, actor_kind, actor_id, finished_at)
      values (${workspaceId}, ${id}, ${kind}, ${mark}, ${undoes}, ${json}, ${total}, ${isTotalExact}, ${createdAt},
        ${createdBy}, ${actorKind}, ${actorId}, ${finishedAt})`,
  );
}

export async function findLeadAction(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ListedLeadAction | null> {
  return firstRow(
    db,
    sql<ListedLeadAction>`
      select ${listed} from lead_actions a where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** The action that takes back the marks of another one. */
export async function findUndo(db: Queryable, workspaceId: string, undoes: string): Promise<string | null> {
  const undo = await firstRow(
    db,
    sql<{ readonly id: string }>`
      select id from lead_actions where workspace_id = ${workspaceId} and undoes = ${undoes}`,
  );
  return undo?.id ?? null;
}

/** Newest first. */
export async function listLeadActions(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<ListedLeadAction[]> {
  return rowsOf(
    db,
    sql<ListedLeadAction>`
      select ${listed} from lead_actions a where workspace_id = ${workspaceId}
      order by created_at desc, id desc limit ${limit}`,
  );
}

/** Oldest first. */
export async function listUnfinishedActions(
  client: pg.PoolClient,
  workspaceId: string,
): Promise<LeadActionRecord[]> {
  return rowsOf(
    client,
    sql<LeadActionRecord>`
      select ${columns} from lead_actions where finished_at is null and workspace_id = ${workspaceId}
      order by created_at, id`,
  );
}

/** What it has done stays done. One that has ended stays as it is. */
export async function stopLeadAction(
  db: Queryable,
  { workspaceId, id }: Pick<LeadActionRecord, 'workspaceId' | 'id'>,
  reason: StopReason,
  at: Date,
): Promise<void> {
  await run(
    db,
    sql`update lead_actions set stop_reason = ${reason}, finished_at = ${at}, selection = null
      where workspace_id = ${workspaceId} and id = ${id} and finished_at is null`,
  );
}

/** Only the oldest of a workspace has a turn, so that one with many actions gets no more turns than others. */
const isFirst = sql`finished_at is null and not exists (
  select from lead_actions o where o.workspace_id = a.workspace_id and o.finished_at is null
    and (o.created_at, o.id) < (a.created_at, a.id))`;

/**
 * Takes the one that has waited longest, until `until`: whoever is killed meanwhile holds it up for no longer. Null when
 * there is none that is free.
 */
export async function takeLeadAction(
  pool: pg.Pool,
  now: Date,
  until: Date,
): Promise<LeadActionRecord | null> {
  return firstRow(
    pool,
    sql<LeadActionRecord>`
      update lead_actions set leased_until = ${until}
      where (workspace_id, id) = (
        select workspace_id, id from lead_actions a where leased_until <= ${now} and ${isFirst}
        order by leased_until, created_at limit 1 for update skip locked)
      returning ${columns}`,
  );
}

/** When someone can continue with one; null when all are finished. */
export async function findNextTurn(pool: pg.Pool, now: Date): Promise<Date | null> {
  const { at } = await onlyRow(
    pool,
    sql<{ at: Date | null }>`
      select min(greatest(leased_until, ${now}::timestamptz)) as at from lead_actions a where ${isFirst}`,
  );
  return at;
}

/** False if it has ended, or someone else has done this step. Until the end of the transaction, nobody else does. */
export async function lockStep(
  client: pg.PoolClient,
  { workspaceId, id, afterAt, afterId }: LeadActionRecord,
): Promise<boolean> {
  const found = await changedBy(
    client,
    sql`
      select from lead_actions where workspace_id = ${workspaceId} and id = ${id} and finished_at is null
        and after_id is not distinct from ${afterId}::uuid and after_at is not distinct from ${afterAt}::timestamptz
      for update`,
  );
  return found === 1;
}

export interface Progress {
  readonly done: number;
  readonly changed: number;
  readonly after: Position | { readonly at: null; readonly id: string } | null;
  readonly isFinished: boolean;
  /** Nobody continues before. */
  readonly nextAt: Date;
}

/** The caller has locked the step. */
export async function noteProgress(
  client: pg.PoolClient,
  { workspaceId, id }: LeadActionRecord,
  { done, changed, after, isFinished, nextAt }: Progress,
  now: Date,
): Promise<void> {
  // At the end, leads that have vanished count too; if not all were counted, there are as many as were found.
  const total = isFinished ? sql`done + ${done}::int` : sql`greatest(total, done + ${done}::int)`;
  const end = isFinished
    ? sql`, finished_at = ${now}::timestamptz, selection = null, is_total_exact = true`
    : sql``;
  const place =
    after === null ? sql`` : sql`, after_at = ${after.at}::timestamptz, after_id = ${after.id}::uuid`;
  await run(
    client,
    sql`
      update lead_actions set total = case when is_total_exact and ${isFinished}::boolean then total else ${total} end,
        done = case when is_total_exact and ${isFinished}::boolean then total else done + ${done}::int end,
        changed = changed + ${changed}::int, leased_until = ${nextAt}, failures = 0 ${place} ${end}
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Counts a step that failed. After too many in a row, it stops. */
export async function noteFailure(
  pool: pg.Pool,
  { workspaceId, id }: LeadActionRecord,
  { failuresMax, nextAt, now }: { readonly failuresMax: number; readonly nextAt: Date; readonly now: Date },
): Promise<void> {
  const isLast = sql`failures + 1 >= ${failuresMax}::int`;
  await run(
    pool,
    sql`
      update lead_actions set failures = failures + 1, leased_until = ${nextAt},
        stop_reason = case when ${isLast} then 'failure' end,
        finished_at = case when ${isLast} then ${now}::timestamptz end,
        selection = case when ${isLast} then null else selection end
      where workspace_id = ${workspaceId} and id = ${id} and finished_at is null`,
  );
}

export async function deleteOldLeadActions(db: Queryable, before: Date): Promise<void> {
  await run(db, sql`delete from lead_actions where finished_at < ${before}`);
}
