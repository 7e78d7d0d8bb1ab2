import { pause } from './attempts.ts';

// Slightly longer than a minute, because timers can fire early.
const windowMs = 60_500;

/**
 * Limits the leads per minute. The service counts a lead at some point between its request and its response, so a slot is
 * free again one minute after the response. No minute of the service can then exceed the limit, whenever it starts.
 */
export class Pace {
  readonly #perMinuteMax: number;
  readonly #endTimes: number[] = [];
  #underWay = 0;

  constructor(perMinuteMax: number) {
    this.#perMinuteMax = perMinuteMax;
  }

  /** Runs the work immediately and counts it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.#endTimes.push(Date.now());
    }
  }

  /** Runs the work as soon as there is a free slot. */
  async runWhenFree<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#underWay + this.#recent() >= this.#perMinuteMax) {
      const oldest = this.#endTimes[0];
      // Without a response so far, there is no time to wait for, so look again soon.
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
