import { RealClock } from '../../src/time/real-clock.ts';

/** While it is in a hurry, each look at it finds a second gone: every search stops after its first stretch. */
export class HurriedClock extends RealClock {
  #goneMs = 0;
  isHurried = false;

  override now(): number {
    if (this.isHurried) this.#goneMs += 1_000;
    return Date.now() + this.#goneMs;
  }
}
