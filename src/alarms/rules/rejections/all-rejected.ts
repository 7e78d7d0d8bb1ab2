import type { Alarm, AlarmEnd, AlarmSubject, Finding } from '../../../domain/alarm/alarm.ts';
import {
  allRejectedMinutes,
  allRejectedOverMs,
  hasWorked,
  isToldElsewhere,
  mayBeAllRejected,
} from '../../../domain/alarm/rejections/all-rejected.ts';
import type { Judgement, Over, Verdicts } from '../../rule.ts';
import { foundAgain, subjectSource, timeIn } from '../evidence.ts';
import type { LastAccepted } from './last-accepted.ts';
import { isSuspended, type Source, sourceKey } from './sources.ts';

/**
 * Authenticated senders are rejected, and nothing is accepted. Web pages do not count: their visitors have proven nothing.
 * A change that explains it says more (`changes`).
 */
export async function judgeAllRejected(
  judgement: Judgement,
  sources: readonly Source[],
  lastAccepted: LastAccepted,
  changes: readonly AlarmSubject[],
): Promise<Verdicts> {
  const open = judgement.allOpen.filter(({ kind }) => kind === 'all_rejected');
  const senders = sources.filter(({ surface }) => surface !== 'browser');
  const candidates = senders.filter((source) =>
    mayBeAllRejected({
      proven: reasonsOf(source).reduce((sum, { count }) => sum + count, 0),
      accepted: source.accepted?.in30Minutes.count ?? 0,
    }),
  );
  const watched = open.flatMap((alarm) => sourceOfAlarm(alarm) ?? []);
  const lastOf = await lastAccepted.of(judgement, [...candidates, ...watched]);

  const found = candidates.flatMap((source) => {
    const at = lastOf(source);
    return hasWorked(at, judgement.now) ? [findingOf(source, at)] : [];
  });
  const explained = new Set(changes.map((change) => `${subjectSource(change)} ${change.reason}`));
  const isExplained = (one: Finding) => explained.has(`${subjectSource(one)} ${mainReason(one)}`);
  const findings = found.filter((finding) => !isExplained(finding));
  const foundSources = new Set(findings.map(subjectSource));
  const byKey = new Map(senders.map((source) => [sourceKey(source), source]));
  const over: Over[] = [];
  for (const alarm of open) {
    if (isSuspended(judgement, alarm)) over.push({ alarmId: alarm.id, as: 'removed' });
    else if (isExplained(alarm)) over.push({ alarmId: alarm.id, as: 'superseded' });
    else {
      const as = endOf(alarm, lastOf, judgement.now);
      if (as !== null) over.push({ alarmId: alarm.id, as });
      else if (!foundSources.has(subjectSource(alarm)) && isRejecting(alarm, byKey))
        findings.push(foundAgain(alarm));
    }
  }
  return { findings, over };
}

function reasonsOf({ rejections }: Source): { readonly reason: string; readonly count: number }[] {
  return rejections
    .map(({ outcome, in30Minutes }) => ({ reason: outcome, count: in30Minutes.proven }))
    .filter(({ reason, count }) => count > 0 && !isToldElsewhere(reason))
    .toSorted((a, b) => b.count - a.count);
}

function findingOf(source: Source, lastAcceptedAt: Date): Finding {
  const { workspaceId, formId, tokenId } = source;
  const reasons = reasonsOf(source);
  return {
    ...{ workspaceId, kind: 'all_rejected', formId, tokenId, destinationId: null, reason: null },
    severity: 'high',
    evidence: {
      rejected: reasons.reduce((sum, { count }) => sum + count, 0),
      minutes: allRejectedMinutes,
      reasons,
      last_accepted_at: lastAcceptedAt.toISOString(),
    },
  };
}

function mainReason({ evidence }: Finding): string | undefined {
  const [main] = (evidence.reasons ?? []) as { readonly reason?: string }[];
  return main?.reason;
}

function sourceOfAlarm({ workspaceId, formId, tokenId }: Alarm) {
  if (workspaceId === null || formId === null) return null;
  const surface = tokenId === null ? 'webhook' : 'server';
  return { workspaceId, formId, tokenId, surface } as const;
}

/** Null while it lasts. A sender that gave up has not recovered. */
function endOf(
  alarm: Alarm,
  lastOf: (source: NonNullable<ReturnType<typeof sourceOfAlarm>>) => Date | null,
  now: Date,
): AlarmEnd | null {
  const source = sourceOfAlarm(alarm);
  const acceptedAt = source === null ? null : lastOf(source);
  const before = timeIn(alarm.evidence, 'last_accepted_at') ?? alarm.openedAt;
  if (acceptedAt !== null && acceptedAt > before) return 'recovered';
  return now.getTime() - alarm.lastAt.getTime() >= allRejectedOverMs ? 'removed' : null;
}

/** Fewer than it takes to open it, but not none. */
function isRejecting(alarm: Alarm, sources: ReadonlyMap<string, Source>): boolean {
  const name = sourceOfAlarm(alarm);
  const rejections = name === null ? [] : (sources.get(sourceKey(name))?.rejections ?? []);
  return rejections.some(({ outcome, in10Minutes }) => in10Minutes.proven > 0 && !isToldElsewhere(outcome));
}
