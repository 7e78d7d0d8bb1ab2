import type { Clock } from '../../../time/clock.ts';

/** About half a millisecond of work. */
const perTurnMax = 4;
const waitingMax = 2_000;

/**
 * Requests of pages that wait for their turn: some in each turn of the event loop, so that leads that arrive meanwhile go
 * first, however many pages there are.
 *
 *   idle    → waiting  by the first request
 *   waiting → idle     when a turn has taken the last
 */
export class MintTurns {
  readonly #clock: Pick<Clock, 'turn'>;
  #waiting: (() => void)[] = [];
  #next = 0;

  constructor(clock: Pick<Clock, 'turn'>) {
    this.#clock = clock;
  }

  /** False when too many wait. `serve` must not throw. */
  add(serve: () => void): boolean {
    if (this.#waiting.length - this.#next >= waitingMax) return false;
    this.#waiting.push(serve);
    if (this.#waiting.length === 1) void this.#run();
    return true;
  }

  async #run(): Promise<void> {
    while (this.#next < this.#waiting.length) {
      await this.#clock.turn();
      const to = Math.min(this.#next + perTurnMax, this.#waiting.length);
      while (this.#next < to) (this.#waiting[this.#next++] as () => void)();
    }
    this.#waiting = [];
    this.#next = 0;
  }
}
