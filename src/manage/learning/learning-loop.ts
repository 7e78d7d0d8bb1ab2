import type { Logger } from 'pino';
import { takeDueLearning } from '../../db/forms/form-learning.ts';
import { type Loop, secondMs } from '../../time/clock.ts';
import { giveWay } from '../../time/give-way.ts';
import { pause } from '../../time/repeat.ts';
import { type LearnFormDeps, learnForm } from './learn-form.ts';

export interface LearningDeps extends LearnFormDeps {
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  /** Resolves when this instance's ingest plane knows every committed change. */
  readonly directoryChanged: () => Promise<void>;
  readonly log: Logger;
}

// After a kill, others continue when this is over.
const leaseMs = 60 * secondMs;
const yieldMsMax = 10 * secondMs;
const idlePauseMs = 2 * secondMs;
/** After a form was learned, marks are collected for a while, which is longer if learning took long. */
const pauseMs = 250;
const pauseMsMax = 2 * secondMs;
const pausePerWork = 4;

/**
 * Learns from marks in the background. A mark notes that its form is due; every instance that serves management looks for forms
 * that are. A form is
 *
 *   due      since a mark was set or removed, a marked lead was erased, or someone who marked leads left the workspace
 *   taken    for a minute, by one instance, which reads its marks and learns from them
 *   learned  and no longer due, unless it became due again in the meantime. A kill before that leaves it due
 */
export class Learning {
  readonly #deps: LearningDeps;
  #awake = new AbortController();
  #loop: Loop | null = null;

  constructor(deps: LearningDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#loop = clock.repeat((stopping) => this.#work(stopping), {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'learning from marks interrupted; trying again'),
    });
  }

  async stop(): Promise<void> {
    this.wake();
    await this.#loop?.stop();
  }

  /** A form is due. */
  wake(): void {
    this.#awake.abort();
  }

  async #work(stopping: AbortSignal): Promise<void> {
    const { clock, isBusy } = this.#deps;
    this.#awake = new AbortController();
    const awake = this.#awake.signal;
    await giveWay({ clock, isBusy, msMax: yieldMsMax, stopping });
    if (stopping.aborted) return;
    const startedAt = clock.monotonic();
    if (await this.#step()) {
      const workMs = clock.monotonic() - startedAt;
      await pause(clock, Math.min(pauseMsMax, pausePerWork * workMs), stopping);
    } else await pause(clock, idlePauseMs, AbortSignal.any([stopping, awake]));
  }

  /** False when no form is due. */
  async #step(): Promise<boolean> {
    const { pool, clock, log, directoryChanged } = this.#deps;
    const now = clock.now();
    const due = await takeDueLearning(pool, new Date(now), new Date(now + leaseMs));
    if (due === null) return false;
    if (await learnForm(this.#deps, due))
      await directoryChanged().catch((error) =>
        log.warn({ err: error }, 'directory not refreshed immediately'),
      );
    return true;
  }
}
