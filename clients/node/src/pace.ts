import { pause } from './attempts.ts';

// A little longer than the minute of the service, for timers that fire early.
const windowMs = 60_500;

/**
 * Keeps what is sent within a number per minute. The service counts a lead somewhere between its sending and its answer, so
 * a place is free again a minute after the answer: then no minute of the service, whenever it begins, can hold more.
 */
export class Pace {
  readonly #perMinuteMax: number;
  readonly #endTimes: number[] = [];
  #underWay = 0;

  constructor(perMinuteMax: number) {
    this.#perMinuteMax = perMinuteMax;
  }

  /** Does the work at once, and counts it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#endTimes.push(Date.now());
    }
  }

  /** Does the work as soon as there is a place for it. */
  async runWhenFree<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#underWay + this.#recent() >= this.#perMinuteMax) {
      const oldest = this.#endTimes[0];
      // Without any answer yet there is nothing to reckon from; one will come.
      await pause(oldest === undefined ? 50 : Math.max(1, oldest + windowMs - Date.now()), signal);
    }
    return this.run(work);
  }

  #recent(): number {
    const past = Date.now() - windowMs;
    let forgotten = 0;
    while ((this.#endTimes[forgotten] ?? Number.POSITIVE_INFINITY) <= past) forgotten++;
    this.#endTimes.splice(0, forgotten);
    return this.#endTimes.length;
  }
}
