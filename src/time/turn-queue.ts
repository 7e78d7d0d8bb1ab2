import type { Clock } from './clock.ts';

export interface TurnQueueDeps<Item> {
  readonly clock: Pick<Clock, 'turn' | 'monotonic'>;
  readonly isLarge: (item: Item) => boolean;
  readonly take: (item: Item) => void;
  /** The time in each turn of the event loop for large items; the last one may exceed it. */
  readonly largeMsMax: number;
}

/**
 * Collects the items of one turn of the event loop and takes them in a row at its end. Node does nothing in between, so
 * the code stays in the processor's cache (docs/performance.md). Large items come after all others and may be spread over
 * several turns.
 *
 *   idle      → scheduled  by the first item
 *   scheduled → idle       when all items were taken
 *   scheduled → scheduled  while large items are left
 */
export class TurnQueue<Item> {
  readonly #deps: TurnQueueDeps<Item>;
  #waiting: Item[] = [];
  #large: Item[] = [];
  #isScheduled = false;

  constructor(deps: TurnQueueDeps<Item>) {
    this.#deps = deps;
  }

  get isIdle(): boolean {
    return !this.#isScheduled;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void this.#deps.clock.turn().then(() => this.#takeAll());
  }

  #takeAll(): void {
    const { isLarge, take } = this.#deps;
    const taken = this.#waiting;
    this.#isScheduled = false;
    this.#waiting = [];
    for (const item of taken) {
      if (isLarge(item)) this.#large.push(item);
      else take(item);
    }
    if (this.#large.length > 0) this.#takeLarge();
    if (this.#large.length > 0) this.#schedule();
  }

  #takeLarge(): void {
    const { clock, take, largeMsMax } = this.#deps;
    const endsAt = clock.monotonic() + largeMsMax;
    let count = 0;
    do take(this.#large[count++] as Item);
    while (count < this.#large.length && clock.monotonic() < endsAt);
    this.#large = this.#large.slice(count);
  }
}
