import type { Clock } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';

// Leads that arrive meanwhile wait no longer than this, and one more step of the work.
const sliceMsMax = 1;

/** For long work in this thread: called after each step, it lets others have their turn when it is time. */
export class Turns {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  async take(): Promise<void> {
    if (this.#clock.monotonic() - this.#since < sliceMsMax) return;
    await this.#clock.turn();
    this.#since = this.#clock.monotonic();
  }
}
