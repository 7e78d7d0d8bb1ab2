import { type FormRef, listFormsWithDrift, readRecentDrifts } from '../../db/alarms/clock-drifts.ts';
import type { Alarm, Finding } from '../../domain/alarm/alarm.ts';
import { type Drift, driftAlarmSeconds, driftOf } from '../../domain/alarm/drift/drift.ts';
import { farBuckets } from '../../domain/alarm/drift/drift-buckets.ts';
import { dayMs, hourMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule, Verdicts } from '../rule.ts';

/** A few requests may be late by chance. */
const requestsMin = 10;
const overSeconds = 120;

/** The signed times of a form's requests are nearly so far from ours that the requests will be rejected, or already are. */
export function clockDriftRule(): Rule {
  return { kinds: ['clock_drift'], everyMinutes: 5, judge };
}

async function judge(judgement: Judgement): Promise<Verdicts> {
  const findings: Finding[] = [];
  const over: Over[] = [];
  const open = new Map(judgement.open.map((alarm) => [alarm.formId, alarm]));
  for (const form of await listForms(judgement)) {
    const alarm = open.get(form.formId);
    const { drift, lastAt } = await driftSince(judgement, form, ago(judgement, hourMs));
    if (isOff(drift)) findings.push(findingOf(form, drift));
    if (isOff(drift) || alarm === undefined) continue;
    // Nothing says that the clock is right again.
    if (lastAt === null) over.push({ alarmId: alarm.id, as: 'removed' });
    else if (isFine(await driftAfter(judgement, form, alarm, drift)))
      over.push({ alarmId: alarm.id, as: 'recovered' });
  }
  return { findings, over };
}

/** Those with a request that is far off, and those with an open alarm. */
async function listForms({ now, pool, shardGroups, workspaces, open }: Judgement): Promise<FormRef[]> {
  const since = ago({ now }, hourMs);
  const found: FormRef[] = open.flatMap(refOf);
  for (const shards of shardGroups)
    found.push(...(await listFormsWithDrift(pool, shards, since, farBuckets(driftAlarmSeconds.medium))));
  const isWatched = ({ workspaceId, formId }: FormRef) => {
    const workspace = workspaces.get(workspaceId);
    return workspace?.isSuspended === false && workspace.forms.has(formId);
  };
  return [...new Map(found.filter(isWatched).map((form) => [form.formId, form])).values()];
}

function refOf({ workspaceId, formId }: Alarm): FormRef[] {
  return workspaceId === null || formId === null ? [] : [{ workspaceId, formId }];
}

async function driftSince({ now, pool }: Judgement, form: FormRef, since: Date) {
  const aDayAgo = ago({ now }, dayMs);
  const { buckets, lastAt } = await readRecentDrifts(pool, form, since, since < aDayAgo ? since : aDayAgo);
  return { drift: driftOf(buckets), lastAt };
}

/** Of the hour, or of all requests since it was last off: where few come, an hour never has enough of them. */
async function driftAfter(
  judgement: Judgement,
  form: FormRef,
  { lastAt }: Alarm,
  ofHour: Drift | null,
): Promise<Drift | null> {
  const isEnough = ofHour !== null && ofHour.requests >= requestsMin;
  if (isEnough || lastAt >= ago(judgement, hourMs)) return ofHour;
  // Counts are per minute: one that began at that time is known already.
  return (await driftSince(judgement, form, new Date(lastAt.getTime() + 1))).drift;
}

function ago({ now }: Pick<Judgement, 'now'>, ms: number): Date {
  return new Date(now.getTime() - ms);
}

function isOff(drift: Drift | null): drift is Drift {
  return (
    drift !== null && drift.requests >= requestsMin && Math.abs(drift.p95Seconds) >= driftAlarmSeconds.medium
  );
}

function isFine(drift: Drift | null): boolean {
  return drift !== null && drift.requests >= requestsMin && Math.abs(drift.p95Seconds) < overSeconds;
}

function findingOf({ workspaceId, formId }: FormRef, drift: Drift): Finding {
  const { requests, medianSeconds, p95Seconds, shape } = drift;
  return {
    workspaceId,
    kind: 'clock_drift',
    formId,
    tokenId: null,
    destinationId: null,
    reason: null,
    severity: Math.abs(p95Seconds) >= driftAlarmSeconds.high ? 'high' : 'medium',
    evidence: {
      requests,
      median_seconds: Math.round(medianSeconds),
      p95_seconds: Math.round(p95Seconds),
      shape,
    },
  };
}
