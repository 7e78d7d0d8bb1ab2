import { RealClock } from '../time/real-clock.ts';

/** A clock that jumps through the past, then follows the present. */
export class PastClock extends RealClock {
  #behindMs = 0;

  override now(): number {
    return Date.now() - this.#behindMs;
  }

  leapTo(time: number): void {
    this.#behindMs = Math.max(0, Date.now() - time);
  }

  leapToPresent(): void {
    this.#behindMs = 0;
  }
}
