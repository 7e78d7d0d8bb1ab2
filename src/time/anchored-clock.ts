import { uptime } from 'node:os';
import { minuteMs, secondMs } from './clock.ts';
import { RealClock } from './real-clock.ts';

/** Where the time comes from, in milliseconds. */
export interface TimeSources {
  /** The machine's clock, which can be set. */
  wall(): number;
  /** Cannot be set, but may stop while the machine sleeps. */
  steady(): number;
  /** Cannot be set and runs while the machine sleeps. Slow to read, so it is read only when needed. */
  sinceBoot(): number;
}

const machine: TimeSources = {
  wall: Date.now,
  steady: () => performance.now(),
  sinceBoot: () => uptime() * secondMs,
};

/** Time synchronisation makes small corrections. A larger one is a jump. */
const toleratedMs = 30 * secondMs;
const doubtMs = 10 * minuteMs;

interface Leap {
  readonly ms: number;
  readonly since: number;
}

/**
 * Follows the machine's clock, but not immediately when it jumps: if someone sets it wrong, signatures with the right time
 * would look expired, and their leads would be rejected permanently. So the service follows a jump only after ten minutes,
 * during which `leapMs` reports it and an operator can fix it. After the machine slept, the clock is followed immediately.
 */
export class AnchoredClock extends RealClock {
  readonly #sources: TimeSources;
  /** The machine's clock minus the steady one. */
  #offset: number;
  /** How much of the time since boot the steady clock has missed. */
  #sleptBefore: number;
  #leap: Leap | null = null;
  /** The last time that was followed. Asked again in the same millisecond, nothing is compared. */
  #followed = Number.NaN;

  constructor(sources: TimeSources = machine) {
    super();
    this.#sources = sources;
    this.#offset = sources.wall() - sources.steady();
    this.#sleptBefore = this.#slept();
  }

  override now(): number {
    const wall = this.#sources.wall();
    if (wall === this.#followed) return wall;
    const steady = this.#sources.steady();
    const ms = wall - (steady + this.#offset);
    if (Math.abs(ms) > toleratedMs && this.#isInDoubt(ms, steady)) {
      this.#followed = Number.NaN;
      return Math.floor(steady + this.#offset);
    }
    this.#offset += ms;
    this.#leap = null;
    this.#followed = wall;
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
