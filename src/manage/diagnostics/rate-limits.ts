import type { RateLimit } from '../../contract/diagnostics/rate-limits.ts';
import * as contract from '../../contract/diagnostics/rate-limits.ts';
import {
  countAcceptedSince,
  type FirstLimited,
  type LimitedSpell,
  listDayPeaks,
  listFirstLimited,
  listLimitedSpells,
  listMinutePeaks,
  readUsedWindows,
  type SurfaceCount,
  type UsedWindows,
} from '../../db/diagnostics/rate-limits.ts';
import { rateLimits } from '../../domain/rate-window.ts';
import { type Surface, surfaces } from '../../domain/surface.ts';
import { dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { route } from '../calls/route.ts';
import { timeRange } from '../calls/time-range.ts';

const windows = ['minute', 'day'] as const;
const lengths = { minute: minuteMs, day: dayMs } as const;
const maxima = { minute: rateLimits.perMinuteMax, day: rateLimits.perDayMax } as const;

export const rateLimitRoutes = [
  route(contract.readRateLimits, async ({ params, query }, { pool, clock }) => {
    const workspaceId = params.workspace_id;
    const now = new Date(clock.now());
    const { from, to } = timeRange(query, now.getTime());
    const [used, first, minutePeaks, dayPeaks, lastHour, spells] = await Promise.all([
      readUsedWindows(pool, workspaceId, now),
      listFirstLimited(pool, workspaceId, now),
      listMinutePeaks(pool, workspaceId, from, to),
      listDayPeaks(pool, workspaceId, from, to),
      countAcceptedSince(pool, workspaceId, new Date(now.getTime() - hourMs)),
      listLimitedSpells(pool, workspaceId, { from, to }, contract.spellsMax),
    ]);
    const facts = { now, used, first, peaks: { minute: minutePeaks, day: dayPeaks }, lastHour, spells };
    return {
      items: surfaces.flatMap((surface) => windows.map((window) => viewLimit(surface, window, facts))),
    };
  }),
];

interface Facts {
  readonly now: Date;
  readonly used: readonly UsedWindows[];
  readonly first: readonly FirstLimited[];
  readonly peaks: Readonly<Record<RateLimit['window'], readonly SurfaceCount[]>>;
  readonly lastHour: readonly Omit<SurfaceCount, 'at'>[];
  readonly spells: readonly LimitedSpell[];
}

function viewLimit(surface: Surface, window: RateLimit['window'], facts: Facts): RateLimit {
  const reason = `rate_limited_${window}` as const;
  const max = maxima[window];
  const open = openWindow(surface, window, facts);
  const isReached = open !== null && open.used >= max;
  const first = facts.first.find((each) => each.surface === surface && each.reason === reason);
  const peak = facts.peaks[window].find((each) => each.surface === surface);
  const spells = facts.spells.filter((each) => each.surface === surface && each.reason === reason);
  return {
    surface,
    window,
    reason,
    max,
    used: open?.used ?? 0,
    started_at: textOf(open?.startedAt),
    resets_at: textOf(open?.endsAt),
    reached_at: isReached ? textOf(first?.at) : null,
    exhausts_at: window === 'day' && open !== null && !isReached ? exhaustion(surface, open, facts) : null,
    peak: peak === undefined ? null : { count: peak.count, at: peak.at.toISOString() },
    rejected: spells[0]?.total ?? 0,
    spells: spells.map(({ from, to, count }) => ({ from: from.toISOString(), to: to.toISOString(), count })),
    retry_after: null,
  };
}

interface OpenWindow {
  readonly used: number;
  readonly startedAt: Date;
  readonly endsAt: Date;
}

function openWindow(surface: Surface, window: RateLimit['window'], { used }: Facts): OpenWindow | null {
  const row = used.find((each) => each.surface === surface);
  if (row === undefined) return null;
  const count = window === 'minute' ? row.minuteUsed : row.dayUsed;
  const startedAt = window === 'minute' ? row.minuteStartedAt : row.dayStartedAt;
  if (count === 0) return null;
  return { used: count, startedAt, endsAt: new Date(startedAt.getTime() + lengths[window]) };
}

/** At the rate of the last hour. Null if the window ends before. */
function exhaustion(surface: Surface, { used, endsAt }: OpenWindow, { now, lastHour }: Facts): string | null {
  const perHour = lastHour.find((each) => each.surface === surface)?.count ?? 0;
  if (perHour === 0) return null;
  const at = new Date(now.getTime() + ((maxima.day - used) / perHour) * hourMs);
  return at < endsAt ? at.toISOString() : null;
}

function textOf(at: Date | undefined): string | null {
  return at?.toISOString() ?? null;
}
