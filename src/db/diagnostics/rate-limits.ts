import { sql } from 'kysely';
import type { Surface } from '../../domain/surface.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

type LimitReason = 'rate_limited_minute' | 'rate_limited_day';

/** What a surface has used of its limits. A window that is over has used nothing. */
export interface UsedWindows {
  readonly surface: Surface;
  readonly minuteStartedAt: Date;
  readonly minuteUsed: number;
  readonly dayStartedAt: Date;
  readonly dayUsed: number;
}

export async function readUsedWindows(db: Queryable, workspaceId: string, now: Date): Promise<UsedWindows[]> {
  return rowsOf(
    db,
    sql<UsedWindows>`
      select surface, minute_started_at as "minuteStartedAt",
        rate_used(minute_started_at, minute_count, ${now}, '1 minute') as "minuteUsed",
        day_started_at as "dayStartedAt", rate_used(day_started_at, day_count, ${now}, '1 day') as "dayUsed"
      from rate_windows where ${inWorkspace(workspaceId)}`,
  );
}

export interface FirstLimited {
  readonly surface: Surface;
  readonly reason: LimitReason;
  readonly at: Date;
}

/** The minute in which the window that began last first rejected something. */
export async function listFirstLimited(
  db: Queryable,
  workspaceId: string,
  now: Date,
): Promise<FirstLimited[]> {
  return rowsOf(
    db,
    sql<FirstLimited>`
      select c.surface, c.outcome as reason, min(c.minute) as at
      from outcome_counts c join rate_windows w
        on (w.shard, w.workspace_id, w.surface) = (c.shard, c.workspace_id, c.surface)
      where ${isShardOf(workspaceId, 'c')} and ${isShardOf(workspaceId, 'w')} and c.workspace_id = ${workspaceId}
        and c.minute >= ${now}::timestamptz - interval '1 day 1 minute'
        and c.minute >= date_trunc('minute', case c.outcome
          when 'rate_limited_minute' then w.minute_started_at
          when 'rate_limited_day' then w.day_started_at end)
      group by 1, 2`,
  );
}

export interface SurfaceCount {
  readonly surface: Surface;
  readonly at: Date;
  readonly count: number;
}

/** The minute of each surface in which most were accepted. */
export async function listMinutePeaks(
  db: Queryable,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<SurfaceCount[]> {
  return rowsOf(
    db,
    sql<SurfaceCount>`
      select distinct on (surface) surface, minute as at, sum(count)::bigint as count from outcome_counts
      where ${inWorkspace(workspaceId)} and outcome = 'accepted'
        and minute >= date_trunc('minute', ${from}::timestamptz) and minute < ${to}
      group by surface, minute order by surface, count desc, minute desc`,
  );
}

/** The hour of each surface at whose end most were accepted within 24 hours. */
export async function listDayPeaks(
  db: Queryable,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<SurfaceCount[]> {
  return rowsOf(
    db,
    sql<SurfaceCount>`
      with hours as (
        select surface, date_trunc('hour', minute, 'UTC') as at, sum(count) as count from outcome_counts
        where ${inWorkspace(workspaceId)} and outcome = 'accepted'
          and minute >= date_trunc('hour', ${from}::timestamptz, 'UTC') - interval '23 hours' and minute < ${to}
        group by 1, 2
      ),
      days as (
        select surface, at, sum(count) over (
          partition by surface order by at range between interval '23 hours' preceding and current row
        )::bigint as count
        from hours
      )
      select distinct on (surface) surface, at, count from days
      where at >= date_trunc('hour', ${from}::timestamptz, 'UTC') order by surface, count desc, at desc`,
  );
}

export async function countAcceptedSince(
  db: Queryable,
  workspaceId: string,
  since: Date,
): Promise<Omit<SurfaceCount, 'at'>[]> {
  return rowsOf(
    db,
    sql<Omit<SurfaceCount, 'at'>>`
      select surface, sum(count)::bigint as count from outcome_counts
      where ${inWorkspace(workspaceId)} and outcome = 'accepted' and minute >= ${since} group by surface`,
  );
}

export interface LimitedSpell {
  readonly surface: Surface;
  readonly reason: LimitReason;
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
  /** Of all spells of the surface and reason. */
  readonly total: number;
}

/** Minutes that follow one another in which a limit rejected something: the newest of each limit. */
export async function listLimitedSpells(
  db: Queryable,
  workspaceId: string,
  range: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<LimitedSpell[]> {
  return rowsOf(
    db,
    sql<LimitedSpell>`
      with limited as (
        select surface, outcome, minute, sum(count) as count from outcome_counts
        where ${inWorkspace(workspaceId)} and outcome in ('rate_limited_minute', 'rate_limited_day')
          and minute >= date_trunc('minute', ${range.from}::timestamptz) and minute < ${range.to}
        group by 1, 2, 3
      ),
      placed as (
        select *, minute - row_number() over (partition by surface, outcome order by minute) * interval '1 minute' as run
        from limited
      ),
      spells as (
        select surface, outcome, min(minute) as first, max(minute) as last, sum(count)::bigint as count
        from placed group by surface, outcome, run
      ),
      numbered as (
        select *, sum(count) over (partition by surface, outcome) as total,
          row_number() over (partition by surface, outcome order by first desc) as place
        from spells
      )
      select surface, outcome as reason, first as "from", last + interval '1 minute' as "to", count, total::bigint as total
      from numbered where place <= ${limit} order by first desc`,
  );
}
