import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';

const weekHours = 168;
/** 1970 began on a Thursday. */
const hoursBeforeThursday = 72;
/** How much further than asked is looked for changes of the offset. */
const foresightMs = 30 * dayMs;
const zonesKnownMax = 1_000;

/** A time in which the offset from UTC stays the same. The first and the last one known may be longer than they say. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly offsetMs: number;
}

/**
 * The local time of a time zone. Asking Intl takes microseconds, and the rhythms of a thousand sources ask millions of times;
 * so the changes of the offset are looked for once, and everything else is arithmetic.
 */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  #spans: Span[] = [];
  #from = 0;
  #to = 0;

  private constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    });
  }

  static readonly #known = new Map<string, Zone>();

  /** UTC if this system does not know the zone. */
  static of(name: string): Zone {
    const known = Zone.#known.get(name);
    if (known !== undefined) return known;
    const zone = Zone.#create(name);
    // There are some 600 names, but each may be written in many ways.
    if (Zone.#known.size >= zonesKnownMax) Zone.#known.clear();
    Zone.#known.set(name, zone);
    return zone;
  }

  static #create(name: string): Zone {
    try {
      return new Zone(name);
    } catch {
      return Zone.of('UTC');
    }
  }

  offsetMsAt(at: number): number {
    return this.spanAt(at).offsetMs;
  }

  /** The span that a time is in. */
  spanAt(at: number): Span {
    if (at < this.#from || at >= this.#to) this.#lookAt(at);
    let place = this.#spans.length - 1;
    while (place > 0 && (this.#spans[place] as Span).from > at) place--;
    return this.#spans[place] as Span;
  }

  #lookAt(at: number): void {
    const from = Math.min(this.#to === 0 ? at : this.#from, at - foresightMs);
    const to = Math.max(this.#to, at + foresightMs);
    this.#from = Math.floor(from / dayMs) * dayMs;
    this.#to = Math.ceil(to / dayMs) * dayMs;
    this.#spans = this.#search();
  }

  #search(): Span[] {
    const spans: Span[] = [];
    let from = this.#from;
    let offsetMs = this.#ask(from);
    for (let day = this.#from; day < this.#to; day += dayMs) {
      const next = this.#ask(day + dayMs);
      if (next === offsetMs) continue;
      const to = this.#searchDay(day, offsetMs);
      spans.push({ from, to, offsetMs });
      from = to;
      offsetMs = next;
    }
    return [...spans, { from, to: this.#to, offsetMs }];
  }

  /** To the minute. */
  #searchDay(day: number, offsetMs: number): number {
    let low = day;
    let high = day + dayMs;
    while (high - low > minuteMs) {
      const middle = Math.floor((low + high) / 2 / minuteMs) * minuteMs;
      if (this.#ask(middle) === offsetMs) low = middle;
      else high = middle;
    }
    return high;
  }

  #ask(at: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(at)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute) - at;
  }
}

/** From Monday 00:00. */
export function hourOfWeek(localMs: number): number {
  return (((Math.floor(localMs / hourMs) + hoursBeforeThursday) % weekHours) + weekHours) % weekHours;
}
