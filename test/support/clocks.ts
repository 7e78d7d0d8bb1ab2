import type { TimeSources } from '../../src/time/anchored-clock.ts';
import { RealClock } from '../../src/time/real-clock.ts';

/** A date that only moves when a test moves it. Waiting still takes real time, for a service on a real PostgreSQL. */
export class ManualClock extends RealClock {
  #now: number;

  constructor(now: number) {
    super();
    this.#now = now;
  }

  override now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** While hurried, every reading is a second later than the last, so that every search stops after its first stretch. */
export class HurriedClock extends RealClock {
  #goneMs = 0;
  isHurried = false;

  override now(): number {
    if (this.isHurried) this.#goneMs += 1_000;
    return Date.now() + this.#goneMs;
  }
}

/** A machine whose clock can be set and which can sleep. */
export class SettableTime implements TimeSources {
  #wallMs = Date.UTC(2026, 5, 1, 12);
  #steadyMs = 5_000;
  #bootMs = 90_000;

  readonly wall = () => this.#wallMs;
  readonly steady = () => this.#steadyMs;
  readonly sinceBoot = () => this.#bootMs;

  pass(ms: number): void {
    this.#steadyMs += ms;
    this.sleep(ms);
  }

  sleep(ms: number): void {
    this.#wallMs += ms;
    this.#bootMs += ms;
  }

  set(byMs: number): void {
    this.#wallMs += byMs;
  }
}

/** The real time, as far in the future as a test moves it. Waiting still takes real time. */
export class ShiftedClock extends RealClock {
  #byMs = 0;

  override now(): number {
    return Date.now() + this.#byMs;
  }

  shift(ms: number): void {
    this.#byMs += ms;
  }

  /** Back to the real time. */
  reset(): void {
    this.#byMs = 0;
  }
}
