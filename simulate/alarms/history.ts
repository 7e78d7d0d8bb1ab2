import { Expectation } from '../../src/domain/alarm/silence/expectation.ts';
import {
  type Arrivals,
  learnRhythm,
  type Rhythm,
  rhythmMs,
  weekMs,
} from '../../src/domain/alarm/silence/rhythm.ts';
import { isSilent } from '../../src/domain/alarm/silence/silence.ts';
import { Zone } from '../../src/domain/alarm/silence/zone.ts';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import { Random } from '../../src/time/random.ts';
import { makeArrivals, type Weather } from './arrivals.ts';
import type { Profile } from './profiles.ts';

/** Clocks are changed on 29 March, in the twelfth week. */
const zone = Zone.of('Europe/Berlin');
const start = Date.parse('2026-01-05T00:00:00+01:00');
const weeks = 26;
const end = start + weeks * weekMs;
/** From then on it is judged. */
const learnt = start + rhythmMs;
const judgedEveryMs = 15 * minuteMs;
const noticedMsMax = 21 * dayMs;

/** What is judged: the rule of the service, or a plain one that fixed numbers of expected leads make. */
export type Judge = (known: Known, lastAt: number, leadsBefore: () => number, now: number) => boolean;

/** What was learnt, on one day. */
interface Known {
  readonly rhythm: Rhythm;
  readonly expectation: Expectation;
}

export const usualRule: Judge = (known, lastAt, leadsBefore, now) =>
  isSilent({ ...known, lastAt, leadsBefore, now, aways: [], isSensitive: false });

export const sensitiveRule: Judge = (known, lastAt, leadsBefore, now) =>
  isSilent({ ...known, lastAt, leadsBefore, now, aways: [], isSensitive: true });

/** What would be judged if leads came one by one, independently of each other. */
export const plainRule: Judge = ({ expectation }, lastAt, _, now) => expectation.between(lastAt, now) > 6.9;

export interface Cell {
  readonly perWeek: number;
  readonly profile: Profile;
  readonly weather: Weather;
}

export interface Run {
  readonly falseAlarms: number;
  /** From a cut at a random time to the alarm. */
  readonly delayHours: readonly number[];
  /** Cuts that nobody noticed within three weeks. */
  readonly missed: number;
}

export const quarters = (weeks * weekMs - rhythmMs) / (13 * weekMs);

/** Half a year of one source, which is cut off so many times, each time on its own. */
export function simulate(seed: number, { perWeek, profile, weather }: Cell, judge: Judge, cuts: number): Run {
  const random = new Random(seed);
  const arrivals = makeArrivals(random, perWeek, profile, weather, { from: start, to: end, zone });
  const history = new History(arrivals);
  const delays: number[] = [];
  let missed = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const at = random.between(learnt, end - noticedMsMax);
    const delay = history.cutAt(at).noticedAfterMs(at, judge);
    if (delay === 'before') continue;
    if (delay === null) missed++;
    else delays.push(delay / hourMs);
  }
  return { falseAlarms: history.falseAlarms(judge), delayHours: delays, missed };
}

/** Leads, and what is learnt from them once a day. */
class History {
  readonly #arrivals: Arrivals;
  readonly #known: Map<number, Known>;
  /** Until then, days are as in the history that this one was cut from. */
  readonly #sameUntil: number;
  readonly #before: History | null;

  constructor(arrivals: Arrivals, before: History | null = null, sameUntil = 0) {
    this.#arrivals = arrivals;
    this.#known = new Map();
    this.#before = before;
    this.#sameUntil = sameUntil;
  }

  /** The same without what came later. */
  cutAt(at: number): History {
    return new History(this.#until(at), this, at);
  }

  falseAlarms(judge: Judge): number {
    const { at } = this.#arrivals;
    let alarms = 0;
    let next = this.#firstAfter(learnt);
    let isOpen = false;
    for (let now = learnt; now < end; now += judgedEveryMs) {
      const before = next;
      while (next < at.length && (at[next] as number) <= now) next++;
      if (next !== before) isOpen = false;
      if (isOpen || next === 0 || !this.#isSilent(next - 1, now, judge)) continue;
      alarms++;
      isOpen = true;
    }
    return alarms;
  }

  /** `before` if an alarm was open when the leads stopped; null if it was not noticed. */
  noticedAfterMs(stopped: number, judge: Judge): number | 'before' | null {
    const last = this.#arrivals.at.length - 1;
    const first = Math.ceil((stopped - learnt) / judgedEveryMs) * judgedEveryMs + learnt;
    if (this.#isSilent(last, first - judgedEveryMs, judge)) return 'before';
    for (let now = first; now < stopped + noticedMsMax; now += judgedEveryMs)
      if (this.#isSilent(last, now, judge)) return now - stopped;
    return null;
  }

  #isSilent(last: number, now: number, judge: Judge): boolean {
    const known = this.#knownAt(now);
    const { at, counts } = this.#arrivals;
    const lastAt = at[last] as number;
    const leadsBefore = () => {
      let leads = 0;
      for (let place = last; place >= 0 && (at[place] as number) > lastAt - dayMs; place--)
        leads += counts[place] as number;
      return leads;
    };
    return known !== null && judge(known, lastAt, leadsBefore, now);
  }

  #knownAt(now: number): Known | null {
    const day = learnt + Math.floor((now - learnt) / dayMs) * dayMs;
    if (this.#before !== null && day <= this.#sameUntil) return this.#before.#knownAt(day);
    const known = this.#known.get(day) ?? this.#learn(day);
    if (known !== null) this.#known.set(day, known);
    return known;
  }

  #learn(now: number): Known | null {
    const from = this.#firstAfter(now - rhythmMs);
    const to = this.#firstAfter(now);
    const { at, counts } = this.#arrivals as { at: Float64Array; counts: Float64Array };
    const rhythm = learnRhythm({ at: at.subarray(from, to), counts: counts.subarray(from, to) }, zone);
    return rhythm === null ? null : { rhythm, expectation: new Expectation(rhythm.expected, zone) };
  }

  #until(time: number): Arrivals {
    const { at, counts } = this.#arrivals as { at: Float64Array; counts: Float64Array };
    const to = this.#firstAfter(time);
    return { at: at.subarray(0, to), counts: counts.subarray(0, to) };
  }

  #firstAfter(time: number): number {
    const { at } = this.#arrivals;
    let low = 0;
    for (let high = at.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((at[middle] as number) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
