import { sql } from 'kysely';
import type pg from 'pg';
import { submissionsPerDayMax } from '../../domain/rate-window.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import { run } from '../sql.ts';

/** Sets the counters as if the workspace had used up its daily limit, starting at `dayStartedAt`. */
export async function exhaustDay(
  pool: pg.Pool,
  workspaceId: string,
  surface: Surface,
  dayStartedAt: Date,
): Promise<void> {
  await run(
    pool,
    sql`
      insert into rate_windows
        (shard, workspace_id, surface, minute_started_at, minute_count, day_started_at, day_count, wanted, granted)
      values (${shardOf(workspaceId)}, ${workspaceId}, ${surface}, ${dayStartedAt}, 0, ${dayStartedAt},
        ${submissionsPerDayMax}, 0, 0)
      on conflict (shard, workspace_id, surface) do update
        set day_started_at = excluded.day_started_at, day_count = excluded.day_count`,
  );
}
