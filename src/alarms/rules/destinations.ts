import {
  countWaiting,
  type DestinationState,
  listDestinationStates,
  waitingMax,
} from '../../db/alarms/facts/unhealthy-destinations.ts';
import type { Alarm, AlarmEnd, Finding } from '../../domain/alarm/alarm.ts';
import { hourMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule } from '../rule.ts';
import { aboutWorkspace } from './evidence.ts';

const failingMs = hourMs;
/** Each takes a statement. Of the others it is not told how many wait. */
const countedMax = 20;

/** Destinations that have been failing for an hour, and those that the service has disabled. */
export function destinationsRule(): Rule {
  return {
    kinds: ['delivery_failing', 'destination_disabled'],
    everyMinutes: 1,
    async judge(judgement) {
      const { pool, now, open, workspaces } = judgement;
      const before = new Date(now.getTime() - failingMs);
      const openIds = open.flatMap(({ destinationId }) => destinationId ?? []);
      const states = (await listDestinationStates(pool, before, [...new Set(openIds)])).filter(
        ({ workspaceId }) => workspaces.has(workspaceId),
      );
      const failing = states.filter((state) => isFailing(state, before));
      const disabled = states.filter(({ status }) => status === 'disabled').map(disabledFinding);
      const byId = new Map(states.map((state) => [state.id, state]));
      return {
        findings: [...(await failingFindings(judgement, failing)), ...disabled],
        over: open.flatMap((alarm): Over[] => {
          const as = endOf(alarm, byId.get(alarm.destinationId ?? ''), before);
          return as === null ? [] : [{ alarmId: alarm.id, as }];
        }),
      };
    },
  };
}

function isFailing({ status, failingSince }: DestinationState, before: Date): boolean {
  return status === 'active' && failingSince !== null && failingSince <= before;
}

async function failingFindings(
  { pool }: Judgement,
  failing: readonly DestinationState[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, { id, workspaceId, failingSince, lastError }] of failing.entries()) {
    const waiting = index < countedMax ? await countWaiting(pool, workspaceId, id) : null;
    findings.push({
      ...{ ...aboutWorkspace, workspaceId, kind: 'delivery_failing', destinationId: id, severity: 'medium' },
      evidence: {
        failing_since: failingSince?.toISOString() ?? null,
        waiting,
        // More than that many are not counted.
        is_waiting_exact: waiting !== null && waiting < waitingMax,
        last_error: lastError,
      },
    });
  }
  return findings;
}

function disabledFinding({ id, workspaceId, disabledReason, lastError }: DestinationState): Finding {
  return {
    ...{ ...aboutWorkspace, workspaceId, kind: 'destination_disabled', destinationId: id, severity: 'high' },
    evidence: { disabled_reason: disabledReason, last_error: lastError },
  };
}

/** Null while it lasts. One that is not found was deleted. */
function endOf({ kind }: Alarm, state: DestinationState | undefined, before: Date): AlarmEnd | null {
  if (state === undefined) return 'removed';
  if (kind === 'destination_disabled') return state.status === 'disabled' ? null : 'recovered';
  if (isFailing(state, before)) return null;
  if (state.status === 'disabled') return 'superseded';
  return state.status === 'active' ? 'recovered' : 'removed';
}
