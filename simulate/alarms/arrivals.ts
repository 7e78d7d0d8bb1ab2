import type { Arrivals } from '../../src/domain/alarm/silence/rhythm.ts';
import { hourOfWeek, type Zone } from '../../src/domain/alarm/silence/zone.ts';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import type { Random } from '../../src/time/random.ts';
import type { Profile } from './profiles.ts';

/** How much one day differs from the next. */
export interface Weather {
  /** Of the logarithm of the factor of a day. */
  readonly daySigma: number;
  /** The probability that a day is a holiday. */
  readonly holidays: number;
}

const holidayFactor = 0.1;
/** Leads come in clusters: several people see the same advertisement, or one sends twice. */
const clusterMean = 1.3;
const clusterMinutes = 3;

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly zone: Zone;
}

/** Made-up leads, counted by the minute as the service counts them. */
export function makeArrivals(
  random: Random,
  perWeek: number,
  profile: Profile,
  { daySigma, holidays }: Weather,
  { from, to, zone }: Stretch,
): Arrivals {
  const minutes: number[] = [];
  let factor = 1;
  let day = Number.NaN;
  // Until the next cluster, in expected clusters.
  let left = exponential(random);
  for (let hour = from; hour < to; hour += hourMs) {
    const local = hour + zone.offsetMsAt(hour);
    if (Math.floor(local / dayMs) !== day) {
      day = Math.floor(local / dayMs);
      factor = Math.exp(daySigma * normal(random) - daySigma ** 2 / 2);
      if (random.chance(holidays)) factor *= holidayFactor;
    }
    const rate = (perWeek * (profile[hourOfWeek(local)] as number) * factor) / clusterMean;
    let used = 0;
    while (used + left <= rate) {
      used += left;
      left = exponential(random);
      addCluster(random, minutes, hour + (used / rate) * hourMs);
    }
    left -= rate - used;
  }
  return countByMinute(minutes.filter((at) => at < to));
}

function addCluster(random: Random, minutes: number[], start: number): void {
  let at = start;
  do {
    minutes.push(Math.floor(at / minuteMs) * minuteMs);
    at += exponential(random) * clusterMinutes * minuteMs;
  } while (random.chance(1 - 1 / clusterMean));
}

function countByMinute(minutes: number[]): Arrivals {
  const at: number[] = [];
  const counts: number[] = [];
  for (const minute of minutes.toSorted((a, b) => a - b)) {
    if (at.at(-1) === minute) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    else {
      at.push(minute);
      counts.push(1);
    }
  }
  return { at: Float64Array.from(at), counts: Float64Array.from(counts) };
}

function exponential(random: Random): number {
  return -Math.log(1 - random.next());
}

function normal(random: Random): number {
  return Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random.next());
}
