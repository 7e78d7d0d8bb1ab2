export interface FairQueueBounds {
  readonly perOwnerMax: number;
  readonly bytesMax: number;
}

interface Entry<Item> {
  readonly item: Item;
  readonly bytes: number;
}

/** Takes from each owner in turn, so that nobody waits behind all that another has brought. Bounded in both ways. */
export class FairQueue<Item> {
  readonly #bounds: FairQueueBounds;
  /** In the order of their turns; an owner without items is not in it. */
  readonly #owners = new Map<string, Entry<Item>[]>();
  #length = 0;
  #bytes = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#length;
  }

  /** False when there is no room for it. */
  add(owner: string, item: Item, bytes: number): boolean {
    const entries = this.#owners.get(owner) ?? [];
    if (entries.length >= this.#bounds.perOwnerMax || this.#bytes + bytes > this.#bounds.bytesMax)
      return false;
    entries.push({ item, bytes });
    this.#owners.set(owner, entries);
    this.#length++;
    this.#bytes += bytes;
    return true;
  }

  take(): Item | null {
    const [turn] = this.#owners;
    if (turn === undefined) return null;
    const [owner, entries] = turn;
    const { item, bytes } = entries.shift() as Entry<Item>;
    // To the end of the line.
    this.#owners.delete(owner);
    if (entries.length > 0) this.#owners.set(owner, entries);
    this.#length--;
    this.#bytes -= bytes;
    return item;
  }
}
