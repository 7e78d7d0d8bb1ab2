import { sql } from 'kysely';
import type pg from 'pg';
import { changedBy } from '../sql.ts';

/** Counts a change against the limit of its day in UTC; false when that is used up. */
export async function countSlugChange(
  client: pg.PoolClient,
  workspaceId: string,
  at: Date,
  perDayMax: number,
): Promise<boolean> {
  // The later day counts: instances whose clocks differ at midnight must not begin it over and over.
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
