import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';
import type { DestinationKind } from '../destination.ts';

/** `lead`: a message for each lead. `hour`, `day`: one for all leads since the last. */
export const digestPeriods = ['lead', 'hour', 'day'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];

export interface DigestSettings {
  readonly every: DigestPeriod;
  /** Of the day at which a daily digest is sent: 0 to 23, in the time zone. */
  readonly hour: number;
  /** An IANA name such as `Europe/Berlin`. */
  readonly timeZone: string;
}

/** Above this many leads, the next ones are sent together at the end of the period. */
interface AutomaticDigest {
  readonly leads: number;
  readonly periodMs: number;
}

export const automaticDigests: Readonly<Partial<Record<DestinationKind, AutomaticDigest>>> = {
  email: { leads: 30, periodMs: hourMs },
  chat: { leads: 20, periodMs: minuteMs },
};

/** The first full period after a time, in UTC. */
export function periodEnd(since: Date, periodMs: number): Date {
  return new Date((Math.floor(since.getTime() / periodMs) + 1) * periodMs);
}

/** When a lead that is due at `since` is sent. */
export function digestAt({ every, hour, timeZone }: DigestSettings, since: Date): Date {
  switch (every) {
    case 'lead':
      return since;
    case 'hour':
      return periodEnd(since, hourMs);
    case 'day':
      return nextHour(since, hour, timeZone);
  }
}

// Some zones are a quarter of an hour off the full hour of UTC; none is off a quarter.
const stepMs = 15 * minuteMs;
// No clocks go forward or back by more.
const shiftMsMax = 3 * hourMs;

/**
 * The next time that the clocks of the time zone show the full hour. On a day without that hour, because the clocks go
 * forward, it is the first time after it. On a day that has it twice, because they go back, it is the first one.
 */
function nextHour(since: Date, hour: number, timeZone: string): Date {
  const first = periodEnd(since, stepMs).getTime();
  const shown = clockOf(timeZone);
  // When it would be if the clocks did not change until then. That is soon enough to look at each step.
  const untilMs = (hour * hourMs - (shown(first - stepMs) % dayMs) + dayMs) % dayMs || dayMs;
  const expected = first - stepMs + untilMs;
  const start = Math.max(first, expected - shiftMsMax);
  let before = shown(start - stepMs);
  for (let at = start; at <= expected + shiftMsMax; at += stepMs) {
    const now = shown(at);
    const wanted = Math.floor(now / dayMs) * dayMs + hour * hourMs;
    if (before < wanted && wanted <= now) return new Date(at);
    before = now;
  }
  return new Date(expected);
}

/** What the clocks of a time zone show, as if it was UTC. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute);
  };
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
