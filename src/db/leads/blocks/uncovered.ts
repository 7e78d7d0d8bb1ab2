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

/** Those that have leads may have changed since they were last looked at. */
export async function listWorkspaceIds(db: Queryable): Promise<string[]> {
  const rows = await rowsOf(db, sql<{ readonly id: string }>`select id from workspaces order by id`);
  return rows.map(({ id }) => id);
}
