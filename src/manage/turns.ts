import { setImmediate as nextTurn } from 'node:timers/promises';

// Leads that arrive meanwhile wait no longer than this, and one more step of the work.
const sliceMsMax = 1;

/** For long work in this thread: called after each step, it lets others have their turn when it is time. */
export class Turns {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < sliceMsMax) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
