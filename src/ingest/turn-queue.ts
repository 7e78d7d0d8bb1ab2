import type { Clock } from '../time/clock.ts';

export interface TurnQueueDeps<Item> {
  readonly clock: Pick<Clock, 'turn' | 'monotonic'>;
  readonly isLarge: (item: Item) => boolean;
  readonly take: (item: Item) => void;
}

/** What large items may take of a turn of the event loop, except for the last of them. */
const largeMsMax = 2;

/**
 * Holds what came in during one turn of the event loop, and takes it one after another at its end: nothing of Node's
 * happens in between, so that the code stays in the processor's cache (docs/performance.md). Large items let the others
 * go first, and many of them take several turns.
 *
 *   idle      → scheduled  by the first item
 *   scheduled → idle       when all were taken
 *   scheduled → scheduled  while large ones are left
 */
export class TurnQueue<Item> {
  readonly #deps: TurnQueueDeps<Item>;
  #waiting: Item[] = [];
  #large: Item[] = [];

  constructor(deps: TurnQueueDeps<Item>) {
    this.#deps = deps;
  }

  add(item: Item): void {
    if (this.#waiting.push(item) === 1 && this.#large.length === 0) this.#schedule();
  }

  #schedule(): void {
    void this.#deps.clock.turn().then(() => this.#takeAll());
  }

  #takeAll(): void {
    const { isLarge, take } = this.#deps;
    const taken = this.#waiting;
    this.#waiting = [];
    for (const item of taken) {
      if (isLarge(item)) this.#large.push(item);
      else take(item);
    }
    if (this.#large.length > 0) this.#takeLarge();
    if (this.#large.length > 0) this.#schedule();
  }

  #takeLarge(): void {
    const { clock, take } = this.#deps;
    const endsAt = clock.monotonic() + largeMsMax;
    let count = 0;
    do take(this.#large[count++] as Item);
    while (count < this.#large.length && clock.monotonic() < endsAt);
    this.#large = this.#large.slice(count);
  }
}
