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
  /** What happened while it was frozen; null while it is not. */
  #missed: (() => void)[] | null = null;

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

  /** It stops for a while and then continues, as if the machine had had no time for it. The clock goes on. */
  freeze(ms: number): void {
    if (this.#missed !== null) return;
    this.#missed = [];
    this.#time.deadline(ms, () => {
      const missed = this.#missed ?? [];
      this.#missed = null;
      for (const act of missed) this.whenAwake(act);
    });
  }

  /** Now, or when it continues; never after its end. */
  whenAwake(act: () => void): void {
    if (this.#missed !== null) this.#missed.push(act);
    else if (!this.#isOver) act();
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
    let isCancelled = false;
    const cancel = this.#time.deadline(ms, () =>
      this.whenAwake(() => {
        if (!isCancelled) onLate();
      }),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  repeat(work: Work, options: RepeatOptions): Loop {
    return repeat(this, work, options);
  }
}
