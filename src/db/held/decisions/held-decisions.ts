import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../../pool.ts';
import { changedBy, firstRow, onlyRow, rowsOf, run } from '../../sql.ts';
import type { HeldSelection } from './chosen-held.ts';

/** As JSON has it. */
export interface StoredHeldSelection extends HeldSelection {
  readonly exclude_twins?: boolean | undefined;
}

/** A selection of held requests that is being admitted or discarded. */
export interface HeldDecisionRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: 'admission' | 'discard';
  readonly selection: StoredHeldSelection & { readonly last_id: string };
  readonly deliver: boolean;
  readonly total: number;
  readonly done: number;
  /** How many of them were admitted or discarded. */
  readonly decided: number;
  /** The last one that was done; null at the start. */
  readonly afterId: string | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly stoppedAt: Date | null;
  readonly finishedAt: Date | null;
}

const columns = sql`id, workspace_id as "workspaceId", kind, selection, deliver, total, done, admitted as decided,
  after_id as "afterId", created_at as "createdAt", created_by as "createdBy", stopped_at as "stoppedAt",
  finished_at as "finishedAt"`;

export async function insertHeldDecision(client: pg.PoolClient, decision: HeldDecisionRecord): Promise<void> {
  const { id, workspaceId, kind, selection, deliver, total, createdAt, createdBy, finishedAt } = decision;
  await run(
    client,
    sql`insert into held_decisions (id, workspace_id, kind, selection, deliver, total, created_at, created_by, finished_at)
      values (${id}, ${workspaceId}, ${kind}, ${JSON.stringify(selection)}, ${deliver}, ${total}, ${createdAt},
        ${createdBy}, ${finishedAt})`,
  );
}

export async function findHeldDecision(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<HeldDecisionRecord | null> {
  return firstRow(
    db,
    sql<HeldDecisionRecord>`
      select ${columns} from held_decisions where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Newest first. */
export async function listHeldDecisions(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<HeldDecisionRecord[]> {
  return rowsOf(
    db,
    sql<HeldDecisionRecord>`
      select ${columns} from held_decisions where workspace_id = ${workspaceId}
      order by created_at desc, id desc limit ${limit}`,
  );
}

/** Those that are not finished. */
export async function listUnfinishedDecisions(
  client: pg.PoolClient,
  workspaceId: string,
): Promise<HeldDecisionRecord[]> {
  return rowsOf(
    client,
    sql<HeldDecisionRecord>`
      select ${columns} from held_decisions where finished_at is null and workspace_id = ${workspaceId}`,
  );
}

/** What it has done stays done. One that has ended stays as it is. */
export async function stopHeldDecision(
  db: Queryable,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<void> {
  await run(
    db,
    sql`update held_decisions set stopped_at = ${at}, finished_at = ${at}
      where workspace_id = ${workspaceId} and id = ${id} and finished_at is null`,
  );
}

/**
 * Takes the one that has waited longest, until `until`: whoever is killed meanwhile holds it up for no longer. Null when
 * there is none that is free.
 */
export async function takeHeldDecision(
  pool: pg.Pool,
  now: Date,
  until: Date,
): Promise<HeldDecisionRecord | null> {
  return firstRow(
    pool,
    sql<HeldDecisionRecord>`
      update held_decisions set leased_until = ${until}
      where id = (
        select id from held_decisions where finished_at is null and leased_until <= ${now}
        order by leased_until, created_at limit 1 for update skip locked)
      returning ${columns}`,
  );
}

/** When somebody can continue with one; null when all are finished. */
export async function findNextTurn(pool: pg.Pool, now: Date): Promise<Date | null> {
  const { at } = await onlyRow(
    pool,
    sql<{ at: Date | null }>`
      select min(greatest(leased_until, ${now}::timestamptz)) as at from held_decisions where finished_at is null`,
  );
  return at;
}

export interface Progress {
  readonly done: number;
  readonly decided: number;
  readonly afterId: string | null;
  readonly isFinished: boolean;
  /** Nobody continues before. */
  readonly nextAt: Date;
}

/** False if somebody else has done the same step, and counted it. */
export async function noteProgress(
  pool: pg.Pool,
  { id, afterId: before }: HeldDecisionRecord,
  { done, decided, afterId, isFinished, nextAt }: Progress,
  now: Date,
): Promise<boolean> {
  // At the end, those count too that were decided by others or expired meanwhile.
  const isAllDone = isFinished ? sql`stopped_at is null` : sql`false`;
  const finished = isFinished ? sql`coalesce(finished_at, ${now}::timestamptz)` : sql`finished_at`;
  const changed = await changedBy(
    pool,
    sql`
      update held_decisions set done = case when ${isAllDone} then total else least(done + ${done}::int, total) end,
        admitted = admitted + ${decided}::int, after_id = ${afterId}::uuid, leased_until = ${nextAt},
        finished_at = ${finished}
      where id = ${id} and after_id is not distinct from ${before}::uuid`,
  );
  return changed === 1;
}
