import type { FormClockDrift } from '../../contract/alarms/watching.ts';
import * as contract from '../../contract/alarms/watching.ts';
import { type HourOfDrifts, listHoursOfDrifts } from '../../db/alarms/clock-drifts.ts';
import { findForm } from '../../db/forms/forms.ts';
import { type Drift, driftAlarmSeconds, driftOf } from '../../domain/alarm/drift/drift.ts';
import { sumOfDrifts } from '../../domain/alarm/drift/drift-buckets.ts';
import { timestampToleranceSeconds } from '../../domain/signature.ts';
import { dayMs, minuteMs } from '../../time/clock.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const clockDriftRoutes = [
  route(contract.readClockDrift, async ({ params }, { pool, clock }) => {
    const { workspace_id, form_id } = params;
    if ((await findForm(pool, workspace_id, form_id)) === null) throw notFound('form');
    // Counts are stored per minute.
    const since = new Date(Math.floor(clock.now() / minuteMs) * minuteMs - dayMs);
    return viewOf(form_id, await listHoursOfDrifts(pool, workspace_id, form_id, since));
  }),
];

function viewOf(formId: string, hours: readonly HourOfDrifts[]): FormClockDrift {
  const day = driftOf(sumOfDrifts(hours.map(({ buckets }) => buckets)));
  return {
    form_id: formId,
    requests: day?.requests ?? 0,
    median_seconds: day && rounded(day.medianSeconds),
    p95_seconds: day && rounded(day.p95Seconds),
    shape: day?.shape ?? null,
    window_seconds: timestampToleranceSeconds,
    alarm_seconds: driftAlarmSeconds,
    hours: hours.flatMap(pointOf),
  };
}

function pointOf({ at, buckets }: HourOfDrifts): FormClockDrift['hours'] {
  const drift = driftOf(buckets);
  return drift === null ? [] : [{ at: at.toISOString(), ...numbersOf(drift) }];
}

function numbersOf({ requests, medianSeconds, p95Seconds }: Drift) {
  return { requests, median_seconds: rounded(medianSeconds), p95_seconds: rounded(p95Seconds) };
}

/** Between the edges of a bucket nothing is exact. */
function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
