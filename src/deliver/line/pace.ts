import { secondMs } from '../../time/clock.ts';

/** A bucket of tokens, one per request. Times are on the monotonic scale. */
export class Pace {
  #perSecond: number;
  #tokens: number;
  #at: number;

  /** Full: whoever had it before gave it up only when it was. */
  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#tokens = burstOf(perSecond);
    this.#at = now;
  }

  set(perSecond: number, now: number): void {
    this.#fill(now);
    this.#perSecond = perSecond;
    this.#tokens = Math.min(this.#tokens, burstOf(perSecond));
  }

  /** How long until there is a token. */
  waitMs(now: number): number {
    this.#fill(now);
    return Math.max(0, ((1 - this.#tokens) / this.#perSecond) * secondMs);
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens--;
  }

  fullInMs(now: number): number {
    this.#fill(now);
    return ((burstOf(this.#perSecond) - this.#tokens) / this.#perSecond) * secondMs;
  }

  #fill(now: number): void {
    const gained = ((now - this.#at) / secondMs) * this.#perSecond;
    // Rounding must not make the bucket wait for a billionth of a token.
    this.#tokens = Math.min(burstOf(this.#perSecond), this.#tokens + gained + 1e-9);
    this.#at = now;
  }
}

function burstOf(perSecond: number): number {
  return Math.max(1, perSecond / 10);
}
