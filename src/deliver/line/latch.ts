import { type Clock, minuteMs } from '../../time/clock.ts';

// Whoever waits longer looks again in between.
const waitMsMax = minuteMs;

/** Lets others wait until something has changed. */
export class Latch {
  readonly #clock: Clock;
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves with the next change, or at that time. */
  async change(until: Date | null): Promise<void> {
    const waitMs = until === null ? waitMsMax : Math.min(until.getTime() - this.#clock.now(), waitMsMax);
    const cancel = this.#clock.deadline(Math.max(0, waitMs), () => this.notify());
    await this.#changed.promise;
    cancel();
  }
}
