import { readUsualUnattributed } from '../../db/alarms/facts/usual-rejections.ts';
import { countUnattributed } from '../../db/diagnostics/unattributed.ts';
import type { Finding } from '../../domain/alarm/alarm.ts';
import {
  isSpikeOver,
  isStillSpike,
  isUnlikely,
  spikeHour,
  spikeMinutes,
  usualRejected,
} from '../../domain/alarm/rejections/reject-spike.ts';
import { minuteMs } from '../../time/clock.ts';
import type { Over, Rule } from '../rule.ts';
import { aboutWorkspace, foundAgain, numberIn } from './evidence.ts';

const kind = 'unattributed_surge';
/** More than for a form: scanners of the Internet send a few to every host. */
const rejectedMin = 50;

/** More requests than usual that belong to no workspace. Anyone can send them, so operators read of it once a day. */
export function unattributedSurgeRule(): Rule {
  let hour = 0;
  let usual: ReadonlyMap<string, number> = new Map();
  return {
    kinds: [kind],
    everyMinutes: 1,
    async judge({ pool, now, open }) {
      const from = new Date(now.getTime() - spikeMinutes * minuteMs);
      // The present minute has begun, and counts in it are up to now.
      const totals = await countUnattributed(pool, from, new Date(now.getTime() + 1));
      const rejected = new Map<string, number>();
      for (const { reason, count } of totals) rejected.set(reason, (rejected.get(reason) ?? 0) + count);
      const candidates = [...rejected].filter(([, count]) => count >= rejectedMin);
      const hourNow = spikeHour(now);
      if (candidates.length > 0 && hourNow.getTime() !== hour) {
        usual = await readUsualUnattributed(pool, hourNow);
        hour = hourNow.getTime();
      }
      const isOpen = new Set(open.map(({ reason }) => reason));
      const findings = candidates.flatMap(([reason, count]): Finding[] => {
        const expected = usualRejected(usual.get(reason) ?? 0);
        if (isOpen.has(reason) || !isUnlikely(count, expected)) return [];
        const evidence = { rejected: count, minutes: spikeMinutes, usual: Math.round(expected * 100) / 100 };
        return [{ ...aboutWorkspace, workspaceId: null, kind, reason, severity: 'low', evidence }];
      });
      const over: Over[] = [];
      for (const alarm of open) {
        const count = rejected.get(alarm.reason ?? '') ?? 0;
        const worst = numberIn(alarm.evidence, 'rejected') ?? 0;
        if (isStillSpike(count, worst))
          findings.push(foundAgain(alarm, { ...alarm.evidence, rejected: Math.max(count, worst) }));
        else if (isSpikeOver([], alarm.lastAt, now)) over.push({ alarmId: alarm.id, as: 'recovered' });
      }
      return { findings, over };
    },
  };
}
