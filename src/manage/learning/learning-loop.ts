import type { Logger } from 'pino';
import { takeDueLearning } from '../../db/forms/form-learning.ts';
import { secondMs } from '../../time/clock.ts';
import { type Rest, WakeableLoop } from '../../time/wakeable-loop.ts';
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
  readonly #loop: WakeableLoop;

  constructor(deps: LearningDeps) {
    this.#deps = deps;
    const { clock, isBusy, log } = deps;
    this.#loop = new WakeableLoop({
      clock,
      isBusy,
      turn: () => this.#turn(),
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'learning from marks interrupted; trying again'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** A form is due. */
  wake(): void {
    this.#loop.wake();
  }

  async #turn(): Promise<Rest> {
    const { clock } = this.#deps;
    const startedAt = clock.monotonic();
    if (!(await this.#step())) return { ms: idlePauseMs };
    const workMs = clock.monotonic() - startedAt;
    return { ms: Math.min(pauseMsMax, pausePerWork * workMs), isUndisturbed: true };
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
