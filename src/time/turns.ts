import type { Clock } from './clock.ts';
import { systemClock } from './real-clock.ts';

// Leads that arrive during the work wait at most this long, plus one step.
const sliceMsMax = 1;

/** For long work in this thread: call after each step, to yield to other work when it is time. */
export class Turns {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  #since: number;

  constructor(clock: Clock = systemClock, sliceMs = sliceMsMax) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
    this.#since = clock.monotonic();
  }

  async take(): Promise<void> {
    if (this.#clock.monotonic() - this.#since < this.#sliceMs) return;
    await this.#clock.turn();
    this.#since = this.#clock.monotonic();
  }
}
