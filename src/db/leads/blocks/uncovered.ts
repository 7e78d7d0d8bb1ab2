import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { firstRow, rowsOf } from '../../sql.ts';
import type { Interval } from './block-rows.ts';

/** The time of the lead after the first `leads` of an interval; null if it has no more. */
export async function findTimeAfter(
  db: Queryable,
  workspaceId: string,
  { from, to }: Interval,
  leads: number,
  direction: 'newest' | 'oldest',
): Promise<Date | null> {
  const order = direction === 'newest' ? sql`desc` : sql`asc`;
  const row = await firstRow(
    db,
    sql<{ readonly at: Date }>`
      select received_at as at from leads
      where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}
      order by received_at ${order}, submission_id ${order} limit 1 offset ${leads}`,
  );
  return row?.at ?? null;
}

/** How many events each workspace has had. The relay makes one of every lead, and others. */
export async function readEventCounts(db: Queryable): Promise<Map<string, number>> {
  const rows = await rowsOf(
    db,
    sql<{ readonly workspaceId: string; readonly last: number }>`
      select workspace_id as "workspaceId", last from event_counters`,
  );
  return new Map(rows.map(({ workspaceId, last }) => [workspaceId, last]));
}

/** The workspaces in which a block is missing before or between others, or was dropped. */
export async function listWithGaps(db: Queryable): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<{ readonly workspaceId: string }>`
      select distinct workspace_id as "workspaceId" from (
        select workspace_id, from_at, lag(to_at, 1, to_timestamp(0))
          over (partition by shard, workspace_id order by from_at) as covered_to
        from lead_blocks) as blocks
      where from_at > covered_to
      union select workspace_id from dropped_lead_blocks`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

/**
 * The time of the first lead, the newest first, with which the leads of an interval have more bytes than `bytesMax`; null if all
 * of them have fewer. Never that of the newest lead.
 */
export async function findTimeBeyond(
  db: Queryable,
  workspaceId: string,
  { from, to }: Interval,
  bytesMax: number,
): Promise<Date | null> {
  const row = await firstRow(
    db,
    sql<{ readonly at: Date }>`
      select received_at as at from (
        select received_at, max(received_at) over () as newest_at,
          sum(octet_length(body)) over (order by received_at desc, submission_id desc) as bytes
        from leads where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}) as leads
      where bytes > ${bytesMax} and received_at < newest_at order by received_at desc limit 1`,
  );
  return row?.at ?? null;
}

export async function listWorkspaceIds(db: Queryable): Promise<string[]> {
  const rows = await rowsOf(db, sql<{ readonly id: string }>`select id from workspaces order by id`);
  return rows.map(({ id }) => id);
}
