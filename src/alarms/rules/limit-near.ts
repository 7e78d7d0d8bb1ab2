import { listUsedDays, type UsedDay } from '../../db/alarms/facts/used-limits.ts';
import type { Alarm, AlarmSeverity, Finding } from '../../domain/alarm/alarm.ts';
import { type LimitLevel, limitLevel, toldFrom } from '../../domain/alarm/limits/limit-level.ts';
import { type RateLimits, rateLimits } from '../../domain/rate-window.ts';
import type { Surface } from '../../domain/surface.ts';
import { dayMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule, Verdicts } from '../rule.ts';
import { aboutWorkspace, timeIn } from './evidence.ts';

/** The limits of a workspace on each surface: of a day from 80 % on, of a minute when it rejects leads. */
export function limitNearRule({ perDayMax, perMinuteMax }: RateLimits = rateLimits): Rule {
  return {
    kinds: ['limit_near'],
    everyMinutes: 1,
    async judge(judgement) {
      const days: UsedDay[] = [];
      for (const shards of judgement.shardGroups)
        days.push(...(await listUsedDays(judgement.pool, shards, toldFrom(perDayMax), judgement.now)));
      const all = [judgeDays(judgement, days, perDayMax), judgeMinutes(judgement, perMinuteMax)];
      return { findings: all.flatMap(({ findings }) => findings), over: all.flatMap(({ over }) => over) };
    },
  };
}

/** `server_day_95`, in its parts. */
interface LimitName {
  readonly surface: string;
  readonly window: string;
  readonly level: number;
}

function limitName({ reason }: Alarm): LimitName {
  const [surface = '', window = '', level] = (reason ?? '').split('_');
  return { surface, window, level: Number(level) };
}

function isJudged({ workspaces }: Judgement, workspaceId: string): boolean {
  return workspaces.get(workspaceId)?.isSuspended === false;
}

/** Visitors of web pages have proven nothing, so what they use up wakes nobody. */
function severityOf(surface: Surface, level: LimitLevel): AlarmSeverity {
  return level === 100 && surface !== 'browser' ? 'high' : 'medium';
}

function judgeDays(judgement: Judgement, days: readonly UsedDay[], limit: number): Verdicts {
  const findings: Finding[] = [];
  const present = new Map<string, { readonly level: LimitLevel; readonly startedAt: Date }>();
  for (const { workspaceId, surface, startedAt, used } of days) {
    const level = limitLevel(used, limit);
    if (level === null || !isJudged(judgement, workspaceId)) continue;
    present.set(`${workspaceId} ${surface}`, { level, startedAt });
    findings.push({
      ...{ ...aboutWorkspace, workspaceId, kind: 'limit_near', reason: `${surface}_day_${level}` },
      severity: severityOf(surface, level),
      evidence: {
        used,
        limit,
        window_started_at: startedAt.toISOString(),
        resets_at: new Date(startedAt.getTime() + dayMs).toISOString(),
      },
    });
  }
  const over: Over[] = [];
  for (const alarm of judgement.open) {
    const { surface, window, level } = limitName(alarm);
    if (window !== 'day') continue;
    const used = present.get(`${alarm.workspaceId} ${surface}`);
    const startedAt = timeIn(alarm.evidence, 'window_started_at')?.getTime();
    // Another window may have come as far in the meantime: a new day is a new alarm.
    const isSame = used !== undefined && used.startedAt.getTime() === startedAt;
    if (!isSame) over.push({ alarmId: alarm.id, as: 'recovered' });
    else if (used.level > level) over.push({ alarmId: alarm.id, as: 'superseded' });
  }
  return { findings, over };
}

function judgeMinutes(judgement: Judgement, limit: number): Verdicts {
  const limited = judgement.counts.filter(
    ({ outcome, workspaceId }) => outcome === 'rate_limited_minute' && isJudged(judgement, workspaceId),
  );
  const byWindow = Map.groupBy(limited, ({ workspaceId, surface }) => `${workspaceId} ${surface}`);
  const findings = [...byWindow.values()].flatMap((counts): Finding[] => {
    const [{ workspaceId, surface }] = counts as [(typeof counts)[number]];
    const rejected = counts.reduce((sum, { in10Minutes }) => sum + in10Minutes.count, 0);
    if (rejected === 0) return [];
    return [
      {
        ...{ ...aboutWorkspace, workspaceId, kind: 'limit_near', reason: `${surface}_minute_100` },
        severity: severityOf(surface, 100),
        evidence: { rejected, minutes: 10, limit },
      },
    ];
  });
  // Not after the minute: a sender that comes close to its limit reaches it every other minute.
  const isLimited = (alarm: Alarm) => {
    const counts = byWindow.get(`${alarm.workspaceId} ${limitName(alarm).surface}`) ?? [];
    return counts.some(({ in30Minutes }) => in30Minutes.count > 0);
  };
  const over = judgement.open
    .filter((alarm) => limitName(alarm).window === 'minute' && !isLimited(alarm))
    .map(({ id }): Over => ({ alarmId: id, as: 'recovered' }));
  return { findings, over };
}
