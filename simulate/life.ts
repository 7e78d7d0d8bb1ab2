import type { Cancel, Clock, Loop, RepeatOptions, Work } from '../src/time/clock.ts';
import type { Random } from '../src/time/random.ts';
import { pause, repeat } from '../src/time/repeat.ts';
import type { SimulatedClock } from '../src/time/simulated-clock.ts';

/**
 * One life of a process, from start to end. Everything it waits for goes through here: after the end it waits forever, so
 * that its code never continues, and nothing outside sees its effects.
 */
export class Life implements Clock {
  readonly name: string;
  readonly random: Random;
  readonly #time: SimulatedClock;
  readonly #onEnd: (() => void)[] = [];
  #isOver = false;
  /** How many more steps until it is killed during one. */
  #stepsLeft = Number.POSITIVE_INFINITY;
  #kill: () => void = () => {};

  constructor(name: string, time: SimulatedClock, random: Random) {
    this.name = name;
    this.#time = time;
    this.random = random;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const act of this.#onEnd) act();
  }

  onEnd(act: () => void): void {
    this.#onEnd.push(act);
  }

  /** Kills it during one of its next steps. A step is a disk or database operation. */
  killAfter(steps: number, kill: () => void): void {
    this.#stepsLeft = steps;
    this.#kill = kill;
  }

  /** Called when a disk or database operation starts, and again when it ends. */
  step(): void {
    if (--this.#stepsLeft > 0 || this.#isOver) return;
    this.#stepsLeft = Number.POSITIVE_INFINITY;
    this.#kill();
  }

  now(): number {
    return this.#time.now();
  }

  monotonic(): number {
    return this.#time.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return pause(this, ms, signal);
  }

  turn(): Promise<void> {
    return pause(this, 0, undefined);
  }

  deadline(ms: number, onLate: () => void): Cancel {
    return this.#time.deadline(ms, () => {
      if (!this.#isOver) onLate();
    });
  }

  repeat(work: Work, options: RepeatOptions): Loop {
    return repeat(this, work, options);
  }
}
