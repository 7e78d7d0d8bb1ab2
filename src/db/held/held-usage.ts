import { sql } from 'kysely';
import type pg from 'pg';
import type { HeldClass } from '../../domain/held/held-class.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { insertRows, onlyRow, rowsOf, run } from '../sql.ts';
import type { HeldBytes, Missed } from './held-database.ts';
import type { Usage } from './usage-book.ts';

/**
 * Until the end of the transaction, nobody else decides about room in these workspaces. The lock is the coordinator's, and
 * exists for workspaces without rows, too. Take it after the lock of erasures and before any row.
 */
export async function lockUsage(client: pg.PoolClient, workspaceIds: readonly string[]): Promise<void> {
  const sorted = workspaceIds.toSorted();
  await run(
    client,
    sql`
      select pg_advisory_xact_lock(hashtextextended('leadgate held ' || id, 0))
      from unnest(${sorted}::uuid[]) as id`,
  );
}

/** What the forms of these workspaces use. All are of one bucket. */
export async function usageOf(
  client: pg.PoolClient,
  shards: readonly number[],
  workspaceIds: readonly string[],
): Promise<Usage[]> {
  return rowsOf(
    client,
    sql<Usage>`
      select shard, workspace_id as "workspaceId", form_id as "formId", is_proven as "isProven", rows, bytes
      from held_usage
      where shard = any (${shards}::smallint[]) and workspace_id = any (${workspaceIds}::uuid[])`,
  );
}

/** Adds to what forms use, or takes away. All are of one bucket. */
export async function addUsage(client: pg.PoolClient, changes: readonly Usage[]): Promise<void> {
  const rows = summed(changes).map(({ shard, workspaceId, formId, isProven, rows: count, bytes }) => ({
    key: `${workspaceId} ${formId} ${isProven}`,
    values: [shard, workspaceId, formId, isProven, count, bytes],
  }));
  await insertRows(
    client,
    'held_usage as u (shard, workspace_id, form_id, is_proven, rows, bytes)',
    // Sorted, so that two instances cannot deadlock.
    rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ values }) => values),
    `on conflict (shard, workspace_id, form_id, is_proven)
      do update set rows = u.rows + excluded.rows, bytes = u.bytes + excluded.bytes`,
  );
}

/** A row that no longer has its content. */
export interface FreedRow {
  readonly formId: string;
  readonly class: HeldClass;
  /** Of its content; null if that was deleted before, and so no longer counted. */
  readonly bytes: number | null;
}

/** What is free again without the content of a row. */
export function freedBy(workspaceId: string, { formId, class: heldClass, bytes }: FreedRow): Usage {
  const isProven = heldClass !== 'D';
  return { shard: shardOf(workspaceId), workspaceId, formId, isProven, rows: -1, bytes: -(bytes ?? 0) };
}

/** One statement cannot change the same row twice. */
function summed(changes: readonly Usage[]): Usage[] {
  const byRow = Map.groupBy(changes, ({ formId, isProven }) => `${formId} ${isProven}`);
  return [...byRow.values()].map((same) => ({
    ...(same[0] as Usage),
    rows: same.reduce((sum, { rows }) => sum + rows, 0),
    bytes: same.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}

export async function addMissed(client: pg.PoolClient, missed: readonly Missed[]): Promise<void> {
  const byRow = Map.groupBy(missed, ({ workspaceId, day }) => `${workspaceId} ${day}`);
  const rows = [...byRow].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same);
  await insertRows(
    client,
    'held_missed as m (shard, workspace_id, day, count)',
    rows.map((same) => {
      const { shard, workspaceId, day } = same[0] as Missed;
      return [shard, workspaceId, day, same.reduce((sum, { count }) => sum + count, 0)];
    }),
    'on conflict (shard, workspace_id, day) do update set count = m.count + excluded.count',
  );
}

/** What all workspaces use together. */
export async function readHeldBytes(db: Queryable): Promise<HeldBytes> {
  return onlyRow(
    db,
    sql<HeldBytes>`
      select coalesce(sum(bytes) filter (where is_proven), 0)::bigint as proven,
        coalesce(sum(bytes) filter (where not is_proven), 0)::bigint as unproven
      from held_usage`,
  );
}

interface Oldest {
  readonly id: string;
}

/** Deletes the oldest unproven requests of a workspace that has more than its room, and returns what they used. */
export async function makeRoom(
  client: pg.PoolClient,
  workspaceId: string,
  room: { readonly rows: number; readonly bytes: number },
): Promise<Usage[]> {
  const oldest = await rowsOf(
    client,
    sql<Oldest>`
      select id from (
        select id, row_number() over newest as place, sum(octet_length(sealed)) over newest as bytes
        from held_submissions
        where ${inWorkspace(workspaceId)} and class = 'D' and state = 'held'
        window newest as (order by received_at desc, id desc rows unbounded preceding)) as h
      where place > ${room.rows} or bytes > ${room.bytes}`,
  );
  if (oldest.length === 0) return [];
  const deleted = await rowsOf(
    client,
    sql<FreedRow>`
      delete from held_submissions
      where ${inWorkspace(workspaceId)} and id = any (${oldest.map(({ id }) => id)}::uuid[])
        and class = 'D' and state = 'held'
      returning form_id as "formId", class, octet_length(sealed) as bytes`,
  );
  return deleted.map((row) => freedBy(workspaceId, row));
}
