import { hourMs } from '../../../time/clock.ts';
import type { Interval } from './interval.ts';
import type { Span, Zone } from './zone.ts';

const weekHours = 168;
const hoursBeforeThursday = 72;

/**
 * How many leads are expected between two times, which is how silence is measured: a quiet night counts for little. Computed
 * from sums, so that it takes the same time for an hour and for a month.
 */
export class Expectation {
  readonly #zone: Zone;
  readonly #expected: ArrayLike<number>;
  /** Of the hours of the week before each. */
  readonly #before = new Float64Array(weekHours + 1);
  readonly #aways: readonly Interval[];
  /** That was last needed: most often the next one, too. */
  #span: Span = { from: 0, to: 0, offsetMs: 0 };

  /** The service was unavailable during `aways`, sorted and without overlaps: no lead is expected then. */
  constructor(expected: ArrayLike<number>, zone: Zone, aways: readonly Interval[] = []) {
    this.#expected = expected;
    this.#zone = zone;
    this.#aways = aways;
    for (let hour = 0; hour < weekHours; hour++)
      this.#before[hour + 1] = (this.#before[hour] ?? 0) + (expected[hour] ?? 0);
  }

  between(from: number, to: number): number {
    let sum = this.#regardless(from, to);
    for (let place = this.#aways.length - 1; place >= 0; place--) {
      const away = this.#aways[place] as Interval;
      if (away.to <= from) break;
      if (away.from < to) sum -= this.#regardless(Math.max(from, away.from), Math.min(to, away.to));
    }
    return sum;
  }

  #regardless(from: number, to: number): number {
    let sum = 0;
    // When clocks are changed, what is skipped is not expected, and what comes twice is expected twice.
    for (let at = from; at < to; ) {
      if (at < this.#span.from || at >= this.#span.to) this.#span = this.#zone.spanAt(at);
      const { to: change, offsetMs } = this.#span;
      const end = Math.min(to, change);
      sum += this.#total(end + offsetMs) - this.#total(at + offsetMs);
      at = end;
    }
    return sum;
  }

  /** Up to a local time, from some Monday on. */
  #total(localMs: number): number {
    const hours = localMs / hourMs + hoursBeforeThursday;
    const weeks = Math.floor(hours / weekHours);
    const hour = hours - weeks * weekHours;
    const whole = Math.floor(hour);
    return (
      weeks * (this.#before[weekHours] as number) +
      (this.#before[whole] as number) +
      (hour - whole) * (this.#expected[whole] as number)
    );
  }
}

/** How long the service was available between two times. */
export function servedMs(from: number, to: number, aways: readonly Interval[]): number {
  let ms = Math.max(0, to - from);
  for (const away of aways) ms -= Math.max(0, Math.min(to, away.to) - Math.max(from, away.from));
  return ms;
}
