import type { Clock } from './clock.ts';

export interface GiveWayOptions {
  readonly clock: Clock;
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly msMax: number;
  readonly stopping: AbortSignal;
}

const sampleMs = 50;
// Under full load there are moments in which nobody waits.
const quietSamplesMin = 4;

/** Waits until the urgent work has been done for a while, at most about `msMax`. Returns how long it waited. */
export async function giveWay({ clock, isBusy, msMax, stopping }: GiveWayOptions): Promise<number> {
  let quietSamples = isBusy() ? 0 : quietSamplesMin;
  let waitedMs = 0;
  for (; quietSamples < quietSamplesMin && waitedMs < msMax && !stopping.aborted; waitedMs += sampleMs) {
    await clock.sleep(sampleMs, stopping);
    quietSamples = isBusy() ? 0 : quietSamples + 1;
  }
  return waitedMs;
}

/**
 * How much to do in a turn: little after the urgent work had to be given way, because more of it will come and then waits as
 * long as the turn takes; more with each turn that did not have to wait.
 */
export class Portion {
  readonly #step: number;
  readonly #max: number;
  #size = 0;

  constructor(step: number, max: number) {
    this.#step = step;
    this.#max = max;
  }

  after(waitedMs: number): number {
    this.#size = waitedMs > 0 ? this.#step : Math.min(this.#max, this.#size + this.#step);
    return this.#size;
  }
}
