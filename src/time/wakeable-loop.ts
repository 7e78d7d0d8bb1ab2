import type { Clock, Loop } from './clock.ts';
import { giveWay } from './give-way.ts';
import { pause } from './repeat.ts';

/** What follows a turn: the next one immediately, or after a pause, which `wake` ends unless it is undisturbed. */
export type Rest = 'none' | { readonly ms: number; readonly isUndisturbed?: boolean };

export interface WakeableLoopOptions {
  readonly clock: Clock;
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly turn: () => Promise<Rest>;
  /** Between rounds, also after one that failed. */
  readonly pauseMs: number;
  readonly onFailure: (error: unknown) => void;
}

const yieldMsMax = 10_000;

/**
 * Background work that others ask for:
 *
 *   yielding  while senders wait, for some seconds at most
 *   working   a turn at a time, until there is nothing to do
 *   resting   until the pause is over, or `wake` says that there is something to do. Whoever wakes it during a turn is heard
 *             after it
 */
export class WakeableLoop {
  readonly #options: WakeableLoopOptions;
  #awake = new AbortController();
  #loop: Loop | null = null;

  constructor(options: WakeableLoopOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, pauseMs, onFailure } = this.#options;
    this.#loop = clock.repeat((stopping) => this.#round(stopping), { pauseMs, onFailure });
  }

  async stop(): Promise<void> {
    this.wake();
    await this.#loop?.stop();
  }

  wake(): void {
    this.#awake.abort();
  }

  async #round(stopping: AbortSignal): Promise<void> {
    const { clock, isBusy, turn } = this.#options;
    this.#awake = new AbortController();
    const awake = this.#awake.signal;
    let rest: Rest;
    do {
      await giveWay({ clock, isBusy, msMax: yieldMsMax, stopping });
      if (stopping.aborted) return;
      rest = await turn();
    } while (rest === 'none');
    await pause(clock, rest.ms, rest.isUndisturbed ? stopping : AbortSignal.any([stopping, awake]));
  }
}
