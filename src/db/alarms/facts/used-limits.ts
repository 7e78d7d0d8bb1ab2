import { sql } from 'kysely';
import type { Surface } from '../../../domain/surface.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

export interface UsedDay {
  readonly workspaceId: string;
  readonly surface: Surface;
  readonly startedAt: Date;
  readonly used: number;
}

/**
 * Windows of a day in which at least so many submissions were counted. Counts of a window that is over stay until the next
 * submission, and mean nothing; `rate_used` knows. The shards are those of one node.
 */
export async function listUsedDays(
  db: Queryable,
  shards: readonly number[],
  usedMin: number,
  now: Date,
): Promise<UsedDay[]> {
  return rowsOf(
    db,
    sql<UsedDay>`
      select workspace_id as "workspaceId", surface, day_started_at as "startedAt", day_count as used
      from rate_windows
      where shard = any (${shards}::smallint[]) and day_count >= ${usedMin}
        and rate_used(day_started_at, day_count, ${now}, '1 day') >= ${usedMin}`,
  );
}
