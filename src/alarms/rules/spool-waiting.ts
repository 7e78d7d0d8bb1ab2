import { type InstanceSpool, listSpools } from '../../db/alarms/instance-spools.ts';
import type { Alarm, AlarmEnd, Finding } from '../../domain/alarm/alarm.ts';
import { minuteMs } from '../../time/clock.ts';
import type { Over, Rule } from '../rule.ts';
import { aboutWorkspace } from './evidence.ts';

const kind = 'spool_waiting';
const waitingMsMax = 5 * minuteMs;

/** Leads wait in the spool of an instance although it can reach PostgreSQL, or it stopped while they did. */
export function spoolWaitingRule(): Rule {
  return {
    kinds: [kind],
    everyMinutes: 1,
    async judge({ pool, now, open }) {
      const spools = await listSpools(pool);
      return {
        findings: spools.flatMap((spool) => findingOf(spool, now)),
        over: open.flatMap((alarm) => endOf(alarm, spools)),
      };
    },
  };
}

function findingOf({ instance, leads, bytes, since, notedAt }: InstanceSpool, now: Date): Finding[] {
  if (since === null || now.getTime() - since.getTime() <= waitingMsMax) return [];
  return [
    {
      ...{ ...aboutWorkspace, workspaceId: null, kind, reason: instance, severity: 'high' },
      evidence: {
        ...{ leads, bytes, host: instance },
        since: since.toISOString(),
        noted_at: notedAt.toISOString(),
      },
    },
  ];
}

function endOf({ id, reason }: Alarm, spools: readonly InstanceSpool[]): Over[] {
  const spool = spools.find(({ instance }) => instance === reason);
  if (spool !== undefined && spool.since !== null) return [];
  const as: AlarmEnd = spool === undefined ? 'removed' : 'recovered';
  return [{ alarmId: id, as }];
}
