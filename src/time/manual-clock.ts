import { RealClock } from './real-clock.ts';

/** A date that stands still until a test moves it. Waiting takes as long as ever: for a service on real PostgreSQL. */
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
