import { sql } from 'kysely';
import type pg from 'pg';
import { changedBy } from '../sql.ts';

/** Counts a change against the daily limit (UTC); false when the limit is reached. */
export async function countSlugChange(
  client: pg.PoolClient,
  workspaceId: string,
  at: Date,
  perDayMax: number,
): Promise<boolean> {
  // Never goes back to an earlier day: instances whose clocks differ at midnight must not keep resetting the count.
  const counted = await changedBy(
    client,
    sql`insert into slug_changes as c (workspace_id, day, used)
      values (${workspaceId}, (${at}::timestamptz at time zone 'utc')::date, 1)
      on conflict (workspace_id) do update set day = greatest(c.day, excluded.day),
        used = case when c.day < excluded.day then 1 else c.used + 1 end
      where c.day < excluded.day or c.used < ${perDayMax}`,
  );
  return counted === 1;
}
