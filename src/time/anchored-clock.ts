import { uptime } from 'node:os';
import { minuteMs, secondMs } from './clock.ts';
import { RealClock } from './real-clock.ts';

/** Where the time comes from, in milliseconds. */
export interface TimeSources {
  /** The machine's clock, which anybody may set. */
  wall(): number;
  /** Nobody sets it, but it may stand still while the machine sleeps. */
  steady(): number;
  /** Nobody sets it, and it goes on while the machine sleeps. Dear, so it is asked only when it matters. */
  sinceBoot(): number;
}

const machine: TimeSources = {
  wall: Date.now,
  steady: () => performance.now(),
  sinceBoot: () => uptime() * secondMs,
};

/** Clocks are kept right by setting them a little; more than this is a leap. */
const toleratedMs = 30 * secondMs;
const doubtMs = 10 * minuteMs;

interface Leap {
  readonly ms: number;
  readonly since: number;
}

/**
 * The machine's clock, but not at once where it leaps: a clock that somebody sets wrong would make strangers of
 * senders whose signatures carry the right time, and their leads would be rejected for good. So a leap is
 * followed only after ten minutes, in which `leapMs` tells of it and an operator can mend it. A machine that
 * merely slept is followed at once.
 */
export class AnchoredClock extends RealClock {
  readonly #sources: TimeSources;
  /** The machine's clock minus the steady one. */
  #offset: number;
  /** How much of the time since the boot the steady clock has missed. */
  #sleptBefore: number;
  #leap: Leap | null = null;

  constructor(sources: TimeSources = machine) {
    super();
    this.#sources = sources;
    this.#offset = sources.wall() - sources.steady();
    this.#sleptBefore = this.#slept();
  }

  override now(): number {
    const wall = this.#sources.wall();
    const steady = this.#sources.steady();
    const ms = wall - (steady + this.#offset);
    if (Math.abs(ms) > toleratedMs && this.#isInDoubt(ms, steady)) return Math.floor(steady + this.#offset);
    this.#offset += ms;
    this.#leap = null;
    return wall;
  }

  get leapMs(): number {
    this.now();
    return this.#leap?.ms ?? 0;
  }

  #isInDoubt(ms: number, steady: number): boolean {
    if (this.#leap === null || Math.abs(ms - this.#leap.ms) > toleratedMs) {
      const sleptBefore = this.#sleptBefore;
      this.#sleptBefore = this.#slept();
      if (Math.abs(ms - (this.#sleptBefore - sleptBefore)) <= toleratedMs) return false;
      this.#leap = { ms, since: steady };
    }
    return steady - this.#leap.since < doubtMs;
  }

  #slept(): number {
    return this.#sources.sinceBoot() - this.#sources.steady();
  }
}
