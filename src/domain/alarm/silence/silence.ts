import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';
import { type Expectation, servedMs } from './expectation.ts';
import type { Interval } from './interval.ts';
import { levelOf } from './level.ts';
import type { Rhythm } from './rhythm.ts';

/** −ln 10⁻⁴: so many leads would fail to come by chance once in ten thousand times. */
const expectedMin = 9.2;
/** Leads come in bursts, so silence has to be longer than any that was survived so far. */
const gapFactors = { usual: 1.5, sensitive: 1.2 };
const silentMsMin = 30 * minuteMs;
const weeksMin = 2;
const leadsPerWeekMin = 5;
/** After the service was unavailable, senders get this long to come back. */
const restMs = 30 * minuteMs;
const weekHours = 168;

export type Watchability = 'watched' | 'learning' | 'too_few';

/** Whether enough is known about a source to call it silent. */
export function watchabilityOf({ weeks, leads }: Pick<Rhythm, 'weeks' | 'leads'>): Watchability {
  if (leads / Math.max(1, weeks) < leadsPerWeekMin) return weeks < weeksMin ? 'learning' : 'too_few';
  return weeks < weeksMin ? 'learning' : 'watched';
}

/** In expected leads. */
export function thresholdOf(longestGap: number, isSensitive: boolean): number {
  return Math.max(expectedMin, longestGap * (isSensitive ? gapFactors.sensitive : gapFactors.usual));
}

export interface SilenceFacts {
  readonly rhythm: Rhythm;
  /** Of the rhythm. */
  readonly expectation: Expectation;
  /** Of the service, sorted and without overlaps. */
  readonly aways: readonly Interval[];
  readonly lastAt: number;
  /** How many leads there were in the 24 hours up to the last one; asked only if it matters. */
  readonly leadsBefore: () => number;
  readonly now: number;
  readonly isSensitive: boolean;
}

/** Whether a source has been silent for longer than can be chance. */
export function isSilent(facts: SilenceFacts): boolean {
  const { rhythm, expectation, lastAt, leadsBefore } = facts;
  if (!mayBeSilent(facts)) return false;
  const level = levelOf(leadsBefore(), expectation.between(lastAt - dayMs, lastAt));
  return expectation.between(lastAt, facts.now) * level > thresholdOf(rhythm.longestGap, facts.isSensitive);
}

/** True if it is silent, provided that it was as busy as usual before. Needs no leads to be counted. */
export function mayBeSilent(facts: Omit<SilenceFacts, 'leadsBefore'>): boolean {
  const { rhythm, expectation, aways, lastAt, now, isSensitive } = facts;
  if (watchabilityOf(rhythm) !== 'watched' || isResting(aways, now)) return false;
  if (servedMs(lastAt, now, aways) < silentMsMin) return false;
  return expectation.between(lastAt, now) > thresholdOf(rhythm.longestGap, isSensitive);
}

/** Whether there was no lead for as many days as an owner has set. */
export function isSilentForDays(lastAt: number, now: number, days: number, aways: readonly Interval[]) {
  return !isResting(aways, now) && servedMs(lastAt, now, aways) >= days * dayMs;
}

function isResting(aways: readonly Interval[], now: number): boolean {
  return now - (aways.at(-1)?.to ?? Number.NEGATIVE_INFINITY) < restMs;
}

/** After how many hours a silence would be noticed: half of those that begin at any hour of the week are noticed sooner. */
export function noticeHours({ expected, longestGap }: Rhythm, isSensitive: boolean): number {
  const threshold = thresholdOf(longestGap, isSensitive);
  let perWeek = 0;
  for (let hour = 0; hour < weekHours; hour++) perWeek += expected[hour] as number;
  const wholeWeeks = Math.floor(threshold / perWeek);
  const times = Array.from({ length: weekHours }, (_, start) => {
    let left = threshold - wholeWeeks * perWeek;
    let hours = wholeWeeks * weekHours;
    for (let hour = start; ; hour++) {
      const leads = expected[hour % weekHours] as number;
      if (leads > left) return hours + left / leads;
      left -= leads;
      hours++;
    }
  }).toSorted((a, b) => a - b);
  const median = ((times[weekHours / 2 - 1] as number) + (times[weekHours / 2] as number)) / 2;
  return Math.max(silentMsMin / hourMs, median);
}
