import type { TimeSources } from '../../src/time/anchored-clock.ts';

/** A machine whose clock can be set, and which can sleep. */
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
