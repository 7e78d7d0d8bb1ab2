/** The time of the service in milliseconds since 1970. Everything that asks what time it is takes a Clock, so tests own it. */
export interface Clock {
  now(): number;
  /** By how much the machine's clock has leapt away from this one, while either may be right; only the real clock leaps. */
  readonly leapMs?: number;
}

export const systemClock: Clock = { now: Date.now };

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
