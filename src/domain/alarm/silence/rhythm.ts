import { dayMs, hourMs } from '../../../time/clock.ts';
import { Expectation } from './expectation.ts';
import type { Interval } from './interval.ts';
import { levelOf } from './level.ts';
import { hourOfWeek, type Zone } from './zone.ts';

const weekHours = 168;
export const weekMs = 7 * dayMs;
/** What is learnt from. */
export const rhythmMs = 8 * weekMs;
/** So many leads of an hour of the week weigh as much as what its day and its hour suggest. */
const shrinkage = 3;
/** Of the mean hour. No hour is so quiet that nothing is ever expected. */
const floor = 0.02;
/** Below this, an hour of the week was hardly seen. */
const exposureMin = 0.5;

/** Accepted leads, oldest first: when, and how many then. */
export interface Arrivals {
  readonly at: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** When a source of leads usually sends. */
export interface Rhythm {
  /** Leads in each hour of the week, from Monday 00:00 in the zone. */
  readonly expected: ArrayLike<number>;
  /** The longest silence so far, in expected leads times the level of that time. */
  readonly longestGap: number;
  /** How much history there is. */
  readonly weeks: number;
  readonly leads: number;
}

/**
 * From the leads of the last eight weeks; null if there are fewer than two. History ends with the last lead: the silence since
 * then may be a breakdown, and would soon be taken for what is usual.
 */
export function learnRhythm(arrivals: Arrivals, zone: Zone, aways: readonly Interval[] = []): Rhythm | null {
  const { at, counts } = arrivals;
  const from = at[0];
  const to = at[at.length - 1];
  if (from === undefined || to === undefined || from >= to) return null;
  const seen = new Float64Array(weekHours);
  let leads = 0;
  let span = zone.spanAt(from);
  for (let place = 0; place < at.length; place++) {
    const time = at[place] as number;
    const count = counts[place] as number;
    if (time >= span.to) span = zone.spanAt(time);
    const hour = hourOfWeek(time + span.offsetMs);
    seen[hour] = (seen[hour] ?? 0) + count;
    leads += count;
  }
  const hours = exposureOf({ from, to }, zone, aways);
  const expected = expectedOf(seen, hours);
  return {
    expected,
    longestGap: longestGapOf(arrivals, new Expectation(expected, zone, aways), Math.max(...expected)),
    weeks: (to - from) / weekMs,
    leads,
  };
}

/** How often each hour of the week was seen. */
function exposureOf(time: Interval, zone: Zone, aways: readonly Interval[]): Float64Array {
  const hours = new Float64Array(weekHours);
  addHours(hours, time, zone, 1);
  for (const { from, to } of aways)
    addHours(hours, { from: Math.max(from, time.from), to: Math.min(to, time.to) }, zone, -1);
  return hours;
}

function addHours(hours: Float64Array, { from, to }: Interval, zone: Zone, sign: 1 | -1): void {
  for (let at = from; at < to; ) {
    const { to: change, offsetMs } = zone.spanAt(at);
    const end = Math.min(to, change);
    const weeks = Math.floor((end - at) / weekMs);
    if (weeks > 0)
      for (let hour = 0; hour < weekHours; hour++) hours[hour] = (hours[hour] as number) + sign * weeks;
    for (let local = at + weeks * weekMs + offsetMs; local < end + offsetMs; ) {
      const next = Math.min(end + offsetMs, (Math.floor(local / hourMs) + 1) * hourMs);
      const hour = hourOfWeek(local);
      hours[hour] = (hours[hour] as number) + (sign * (next - local)) / hourMs;
      local = next;
    }
    at = end;
  }
}

function expectedOf(seen: Float64Array, hours: Float64Array): Float64Array {
  const mean = seen.map((leads, hour) => leads / Math.max(exposureMin, hours[hour] ?? 0));
  const of = (hour: number) => mean[(hour + weekHours) % weekHours] as number;
  const smooth = mean.map((leads, hour) => (of(hour - 1) + 2 * leads + of(hour + 1)) / 4);
  const days = new Float64Array(7);
  const hoursOfDay = new Float64Array(24);
  let week = 0;
  for (let hour = 0; hour < weekHours; hour++) {
    const leads = smooth[hour] as number;
    days[Math.floor(hour / 24)] = (days[Math.floor(hour / 24)] as number) + leads;
    hoursOfDay[hour % 24] = (hoursOfDay[hour % 24] as number) + leads;
    week += leads;
  }
  const least = (floor * week) / weekHours;
  return smooth.map((leads, hour) => {
    const suggested = ((days[Math.floor(hour / 24)] as number) * (hoursOfDay[hour % 24] as number)) / week;
    const weight = (seen[hour] as number) / ((seen[hour] as number) + shrinkage);
    return Math.max(least, weight * leads + (1 - weight) * suggested);
  });
}

/** Between two leads. */
function longestGapOf({ at, counts }: Arrivals, expectation: Expectation, perHourMax: number): number {
  let longest = 0;
  // Leads from `first` on are those of the 24 hours before the gap.
  let first = 0;
  let leads = 0;
  for (let place = 0; place + 1 < at.length; place++) {
    const start = at[place] as number;
    leads += counts[place] as number;
    for (; (at[first] as number) <= start - dayMs; first++) leads -= counts[first] as number;
    const end = at[place + 1] as number;
    // Most gaps are too short at any hour.
    if (((end - start) / hourMs) * perHourMax <= longest) continue;
    const gap = expectation.between(start, end);
    // The level is at most 1.
    if (gap <= longest) continue;
    const since = Math.max(at[0] as number, start - dayMs);
    longest = Math.max(longest, gap * levelOf(leads, expectation.between(since, start)));
  }
  return longest;
}
