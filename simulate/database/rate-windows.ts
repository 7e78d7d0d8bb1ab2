import type { IngestLimits } from '../../src/db/ingest/ingest-commit.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { dayMs, minuteMs } from '../../src/time/clock.ts';

export interface WindowRow {
  readonly shard: number;
  readonly workspaceId: string;
  readonly surface: Surface;
  readonly minuteStartedAt: number;
  readonly minuteCount: number;
  readonly dayStartedAt: number;
  readonly dayCount: number;
  /** Of the last batch. */
  readonly wanted: number;
  readonly granted: number;
}

/** Opens, replaces or continues a window: the upsert into rate_windows of ingest_commit. */
export function counted(
  before: WindowRow | undefined,
  identity: Pick<WindowRow, 'shard' | 'workspaceId' | 'surface'>,
  wanted: number,
  now: number,
  limits: IngestLimits,
): WindowRow {
  const minuteUsed = before ? used(before.minuteStartedAt, before.minuteCount, now, minuteMs) : 0;
  const dayUsed = before ? used(before.dayStartedAt, before.dayCount, now, dayMs) : 0;
  const granted = Math.max(0, Math.min(wanted, limits.perMinuteMax - minuteUsed, limits.perDayMax - dayUsed));
  return {
    ...identity,
    minuteStartedAt: before && minuteUsed > 0 ? before.minuteStartedAt : now,
    minuteCount: minuteUsed + granted,
    dayStartedAt: before && dayUsed > 0 ? before.dayStartedAt : now,
    dayCount: dayUsed + granted,
    wanted,
    granted,
  };
}

/**
 * rate_used of migrations/0004_ingest_commit.sql. A day always has 24 hours here; in PostgreSQL, only in a time zone without
 * summer time.
 */
function used(startedAt: number, count: number, now: number, lengthMs: number): number {
  return now >= startedAt + lengthMs || now < startedAt - lengthMs ? 0 : count;
}
