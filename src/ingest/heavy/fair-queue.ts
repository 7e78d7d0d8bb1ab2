export interface FairQueueDeps<Item> {
  readonly perOwnerMax: number;
  readonly bytesMax: number;
  /** What had to make room for somebody who has brought less. */
  readonly onEvicted: (item: Item) => void;
}

interface Entry<Item> {
  readonly item: Item;
  readonly bytes: number;
}

interface Line<Item> {
  readonly entries: Entry<Item>[];
  bytes: number;
}

/**
 * Takes from each owner in turn, so that nobody waits behind all that another has brought. Bounded: when it is full,
 * whoever has brought the most gives way, so that nobody is kept out by others either.
 */
export class FairQueue<Item> {
  readonly #deps: FairQueueDeps<Item>;
  /** In the order of their turns; an owner without items is not in it. */
  readonly #lines = new Map<string, Line<Item>>();
  #length = 0;
  #bytes = 0;

  constructor(deps: FairQueueDeps<Item>) {
    this.#deps = deps;
  }

  get length(): number {
    return this.#length;
  }

  /** False when there is no room for it. */
  add(owner: string, item: Item, bytes: number): boolean {
    const line = this.#lines.get(owner) ?? { entries: [], bytes: 0 };
    if (line.entries.length >= this.#deps.perOwnerMax || !this.#makeRoom(line.bytes + bytes, bytes))
      return false;
    this.#lines.set(owner, line);
    line.entries.push({ item, bytes });
    this.#count(line, 1, bytes);
    return true;
  }

  take(): Item | null {
    const [turn] = this.#lines;
    if (turn === undefined) return null;
    const [owner, line] = turn;
    const { item, bytes } = line.entries.shift() as Entry<Item>;
    this.#count(line, -1, -bytes);
    // To the end of the line.
    this.#lines.delete(owner);
    if (line.entries.length > 0) this.#lines.set(owner, line);
    return item;
  }

  /** Only at the cost of owners who keep at least as much as `ownBytes`, what the newcomer then has in all. */
  #makeRoom(ownBytes: number, bytes: number): boolean {
    if (bytes > this.#deps.bytesMax) return false;
    while (this.#bytes + bytes > this.#deps.bytesMax) {
      const [owner, line] = [...this.#lines].reduce((most, one) =>
        one[1].bytes > most[1].bytes ? one : most,
      );
      const newest = line.entries.at(-1) as Entry<Item>;
      if (line.bytes - newest.bytes < ownBytes) return false;
      line.entries.pop();
      this.#count(line, -1, -newest.bytes);
      if (line.entries.length === 0) this.#lines.delete(owner);
      this.#deps.onEvicted(newest.item);
    }
    return true;
  }

  #count(line: Line<Item>, items: number, bytes: number): void {
    line.bytes += bytes;
    this.#length += items;
    this.#bytes += bytes;
  }
}
