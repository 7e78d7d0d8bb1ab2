import type { Clock } from '../../time/clock.ts';

/** A row counts as one, and every 4 KB of it as another. */
const bytesPerPoint = 4096;
/** What comes at once beyond this waits in memory, which has room for more than a workspace usually sends in a minute. */
const pointsMax = 2_000;
const pointsPerSecond = 500;

/**
 * How much may be written now. During a flood of rejections, all processor time that is spent on keeping them is missing for
 * the leads of others.
 */
export class WriteBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #points = pointsMax;
  #at: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  get isEmpty(): boolean {
    return this.#points <= 0;
  }

  /** False if they have to wait. They may be more than are left. */
  take(requests: readonly { readonly size: number }[]): boolean {
    const now = this.#clock.monotonic();
    this.#points = Math.min(pointsMax, this.#points + ((now - this.#at) / 1000) * pointsPerSecond);
    this.#at = now;
    if (this.#points <= 0) return false;
    for (const { size } of requests) this.#points -= 1 + size / bytesPerPoint;
    return true;
  }
}
