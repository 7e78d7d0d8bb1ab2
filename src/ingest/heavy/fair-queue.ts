export interface FairQueueDeps<Item> {
  readonly perOwnerMax: number;
  readonly bytesMax: number;
  /** Called for each item that was removed in favour of an owner with fewer bytes in the queue. */
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
 * Takes one item of each owner in turn, so that no owner waits behind all items of another. Bounded by bytes: when the
 * queue is full, the owner with the most bytes loses their newest items, so that no owner can crowd out the others.
 */
export class FairQueue<Item> {
  readonly #deps: FairQueueDeps<Item>;
  /** Owners with items, in the order of their turns. */
  readonly #lines = new Map<string, Line<Item>>();
  #length = 0;
  #bytes = 0;
  /** No owner has more bytes. Exact only after a search, which a full queue would otherwise repeat for every item it refuses. */
  #bytesOfOwnerMax = 0;

  constructor(deps: FairQueueDeps<Item>) {
    this.#deps = deps;
  }

  get length(): number {
    return this.#length;
  }

  /** False when an item would certainly be refused. It takes no time, however full the queue is. */
  mayAccept(owner: string, bytes: number): boolean {
    const line = this.#lines.get(owner);
    if (line !== undefined && line.entries.length >= this.#deps.perOwnerMax) return false;
    return this.#bytes + bytes <= this.#deps.bytesMax || this.#bytesOfOwnerMax > (line?.bytes ?? 0) + bytes;
  }

  /** False when there is no space for it. */
  add(owner: string, item: Item, bytes: number): boolean {
    const line = this.#lines.get(owner) ?? { entries: [], bytes: 0 };
    if (line.entries.length >= this.#deps.perOwnerMax || !this.#makeSpace(line.bytes + bytes, bytes))
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
    // The owner goes to the end of the line.
    this.#lines.delete(owner);
    if (line.entries.length > 0) this.#lines.set(owner, line);
    return item;
  }

  /** Evicts items only from owners who still keep at least `ownBytes`, the newcomer's total including the new item. */
  #makeSpace(ownBytes: number, bytes: number): boolean {
    if (bytes > this.#deps.bytesMax) return false;
    while (this.#bytes + bytes > this.#deps.bytesMax) {
      if (!this.#evict(ownBytes)) return false;
    }
    return true;
  }

  /** Removes the newest item of the owner with the most bytes. */
  evict(): boolean {
    return this.#lines.size > 0 && this.#evict(0);
  }

  #evict(bytesMin: number): boolean {
    if (this.#bytesOfOwnerMax <= bytesMin) return false;
    const [owner, line] = [...this.#lines].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
    this.#bytesOfOwnerMax = line.bytes;
    const newest = line.entries.at(-1) as Entry<Item>;
    if (line.bytes - newest.bytes < bytesMin) return false;
    line.entries.pop();
    this.#count(line, -1, -newest.bytes);
    if (line.entries.length === 0) this.#lines.delete(owner);
    this.#deps.onEvicted(newest.item);
    return true;
  }

  #count(line: Line<Item>, items: number, bytes: number): void {
    line.bytes += bytes;
    if (line.bytes > this.#bytesOfOwnerMax) this.#bytesOfOwnerMax = line.bytes;
    this.#length += items;
    this.#bytes += bytes;
  }
}
