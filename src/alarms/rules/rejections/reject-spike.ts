import { onNode } from '../../../db/alarms/facts/sources.ts';
import { readUsualRejections, type UsualRejections } from '../../../db/alarms/facts/usual-rejections.ts';
import { type Alarm, type AlarmSubject, type Finding, subjectKey } from '../../../domain/alarm/alarm.ts';
import { isToldElsewhere } from '../../../domain/alarm/rejections/all-rejected.ts';
import {
  isSpike,
  isSpikeOver,
  isStillSpike,
  mayBeSpike,
  type SpikeCounts,
  spikeHour,
  spikeMinutes,
  usualRejected,
} from '../../../domain/alarm/rejections/reject-spike.ts';
import type { Counted, Judgement, Over, RecentCounts, Verdicts } from '../../rule.ts';
import { foundAgain, numberIn, subjectSource } from '../evidence.ts';
import { isSuspended, type Source } from './sources.ts';

type Window = 'in10Minutes' | 'in30Minutes' | 'in60Minutes';
const windows = ['in10Minutes', 'in30Minutes', 'in60Minutes'] as const;

/** All that is rejected for one reason. `proven` is without web pages, whose visitors have proven nothing. */
interface Rejecting extends AlarmSubject {
  readonly workspaceId: string;
  readonly formId: string;
  readonly reason: string;
  readonly all: Readonly<Record<Window, SpikeCounts>>;
  readonly proven: Readonly<Record<Window, SpikeCounts>>;
}

/** So that anyone who sends bad requests to many forms does not make judging slow. The others follow a minute later. */
const readsMax = 20;

/** What is usual in the present hour, read once for each source and reason. */
export class UsualCounts {
  #hour = 0;
  #known = new Map<string, UsualRejections>();

  async read(
    judgement: Judgement,
    candidates: readonly Rejecting[],
  ): Promise<ReadonlyMap<string, UsualRejections>> {
    const hour = spikeHour(judgement.now);
    if (hour.getTime() !== this.#hour) this.#known = new Map();
    this.#hour = hour.getTime();
    const unknown = candidates
      .filter((one) => !this.#known.has(subjectKey(one)))
      .toSorted((a, b) => b.proven.in10Minutes.rejected - a.proven.in10Minutes.rejected)
      .slice(0, readsMax);
    for (const shards of judgement.shardGroups) {
      const ofNode = onNode(unknown, shards);
      if (ofNode.length === 0) continue;
      const read = await readUsualRejections(judgement.pool, ofNode, hour);
      for (const [index, one] of ofNode.entries())
        this.#known.set(subjectKey(one), read[index] as UsualRejections);
    }
    return this.#known;
  }
}

/** More is rejected for a reason than usual. What all_rejected or after_change tells is not told again (`told`). */
export async function judgeRejectSpike(
  judgement: Judgement,
  sources: readonly Source[],
  usualCounts: UsualCounts,
  told: readonly AlarmSubject[],
): Promise<Verdicts> {
  const toldKeys = new Set(
    told.map((one) =>
      one.kind === 'all_rejected' ? subjectSource(one) : `${subjectSource(one)} ${one.reason}`,
    ),
  );
  const isTold = (one: AlarmSubject) =>
    toldKeys.has(subjectSource(one)) || toldKeys.has(`${subjectSource(one)} ${one.reason}`);
  const bySubject = Map.groupBy(sources, subjectSource);
  const open = judgement.allOpen.filter(({ kind }) => kind === 'reject_spike');
  const rejecting = rejectingOf(bySubject).filter((one) => !isTold(one));
  const candidates = rejecting.filter(
    ({ all, proven }) => mayBeSpike(all.in10Minutes) || mayBeSpike(proven.in10Minutes),
  );
  const openKeys = new Map(open.map((alarm) => [subjectKey(alarm), alarm]));
  // An alarm that is as severe as it can be does not depend on what is usual.
  const unsettled = candidates.filter((one) => openKeys.get(subjectKey(one))?.severity !== 'high');
  const usual = await usualCounts.read(judgement, unsettled);
  const found = new Map(
    unsettled.flatMap((one) => {
      const finding = findingOf(one, usual.get(subjectKey(one)));
      return finding === null ? [] : [[subjectKey(one), finding]];
    }),
  );
  const findings = [...found].flatMap(([key, finding]) => (openKeys.has(key) ? [] : [finding]));
  const over: Over[] = [];
  const present = new Map(rejecting.map((one) => [subjectKey(one), one]));
  for (const alarm of open) {
    const key = subjectKey(alarm);
    if (isSuspended(judgement, alarm)) over.push({ alarmId: alarm.id, as: 'removed' });
    else if (isTold(alarm)) over.push({ alarmId: alarm.id, as: 'superseded' });
    else {
      const counts = present.get(key) ?? quiet(alarm, bySubject.get(subjectSource(alarm)) ?? []);
      const again = continued(alarm, counts, found.get(key));
      if (again !== null) findings.push(again);
      else if (isSpikeOver(countsFor(alarm, counts), alarm.lastAt, judgement.now))
        over.push({ alarmId: alarm.id, as: 'recovered' });
    }
  }
  return { findings, over };
}

function findingOf(one: Rejecting, usual: UsualRejections | undefined): Finding | null {
  if (usual === undefined) return null;
  const { workspaceId, kind, formId, tokenId, destinationId, reason } = one;
  const isProven = isSpike(one.proven.in10Minutes, usualRejected(usual.proven));
  if (!isProven && !isSpike(one.all.in10Minutes, usualRejected(usual.all))) return null;
  const { rejected, accepted } = (isProven ? one.proven : one.all).in10Minutes;
  const expected = usualRejected(isProven ? usual.proven : usual.all);
  return {
    ...{ workspaceId, kind, formId, tokenId, destinationId, reason },
    severity: isProven ? 'high' : 'low',
    evidence: {
      rejected,
      accepted,
      minutes: spikeMinutes,
      usual: Math.round(expected * 100) / 100,
      is_proven: isProven,
    },
  };
}

/** It got worse, or is still as bad as half of its worst: that is what its evidence says. */
function continued(alarm: Alarm, counts: Rejecting, found: Finding | undefined): Finding | null {
  if (found !== undefined && found.severity === 'high' && alarm.severity !== 'high') return found;
  const { rejected, accepted } = windowsFor(alarm, counts).in10Minutes;
  const worst = numberIn(alarm.evidence, 'rejected') ?? 0;
  if (rejected > worst) return foundAgain(alarm, { ...alarm.evidence, rejected, accepted });
  return isStillSpike(rejected, worst) ? foundAgain(alarm) : null;
}

const windowsFor = ({ severity }: Alarm, { all, proven }: Rejecting) => (severity === 'high' ? proven : all);

function countsFor(alarm: Alarm, counts: Rejecting): SpikeCounts[] {
  const of = windowsFor(alarm, counts);
  return windows.map((window) => of[window]);
}

function rejectingOf(bySubject: ReadonlyMap<string, readonly Source[]>): Rejecting[] {
  return [...bySubject.values()].flatMap((same) => {
    const reasons = new Set(same.flatMap(({ rejections }) => rejections.map(({ outcome }) => outcome)));
    return [...reasons]
      .filter((reason) => !isToldElsewhere(reason))
      .map((reason) => rejectingFor(same, reason));
  });
}

/** Nothing was rejected in the last hour; perhaps something was accepted. */
function quiet({ workspaceId, formId, tokenId, reason }: Alarm, same: readonly Source[]): Rejecting {
  const name = { workspaceId: workspaceId ?? '', formId: formId ?? '', tokenId, surface: 'server' } as const;
  return rejectingFor([{ ...name, accepted: null, rejections: [] }, ...same], reason ?? '');
}

/** The sources differ only in their surface. */
function rejectingFor(same: readonly Source[], reason: string): Rejecting {
  const [{ workspaceId, formId, tokenId }] = same as [Source];
  const senders = same.filter(({ surface }) => surface !== 'browser');
  return {
    ...{ workspaceId, kind: 'reject_spike', formId, tokenId, destinationId: null, reason },
    all: countsIn(same, reason, ({ count }) => count),
    proven: countsIn(senders, reason, ({ proven }) => proven),
  };
}

function countsIn(
  sources: readonly Source[],
  reason: string,
  read: (counted: Counted) => number,
): Record<Window, SpikeCounts> {
  const sum = (counts: readonly RecentCounts[], window: Window, of: (counted: Counted) => number) =>
    counts.reduce((total, counted) => total + of(counted[window]), 0);
  const rejections = sources.flatMap((source) =>
    source.rejections.filter(({ outcome }) => outcome === reason),
  );
  const accepted = sources.flatMap((source) => source.accepted ?? []);
  const of = (window: Window): SpikeCounts => ({
    rejected: sum(rejections, window, read),
    accepted: sum(accepted, window, ({ count }) => count),
  });
  return { in10Minutes: of('in10Minutes'), in30Minutes: of('in30Minutes'), in60Minutes: of('in60Minutes') };
}
