import { FairQueue } from '../../heavy/fair-queue.ts';

export interface WorkQueueDeps<Item> {
  /** Called for each item that was removed in favour of a form or network with fewer. */
  readonly onEvicted: (item: Item) => void;
}

interface Entry<Item> {
  readonly network: string;
  readonly item: Item;
}

export const waitingMax = 2_000;
export const waitingPerFormMax = 200;
export const waitingPerNetworkMax = 20;

/**
 * Takes one item of each form in turn, and within a form one of each network in turn. So a flood from one form does not hold
 * up another form, and a flood from one network does not hold up other visitors of the same form.
 */
export class WorkQueue<Item> {
  readonly #deps: WorkQueueDeps<Item>;
  /** Forms with items, in the order of their turns. */
  readonly #forms = new Map<string, FairQueue<Entry<Item>>>();
  readonly #perNetwork = new Map<string, number>();
  #length = 0;

  constructor(deps: WorkQueueDeps<Item>) {
    this.#deps = deps;
  }

  get length(): number {
    return this.#length;
  }

  /** False when an item would certainly be refused. */
  mayAccept(form: string, network: string): boolean {
    if ((this.#perNetwork.get(network) ?? 0) >= waitingPerNetworkMax) return false;
    return this.#forms.get(form)?.mayAccept(network, 1) ?? true;
  }

  /** False when there is no space for it. */
  add(form: string, network: string, item: Item): boolean {
    // Over all forms, because one network can use the pages of many.
    if ((this.#perNetwork.get(network) ?? 0) >= waitingPerNetworkMax) return false;
    const line = this.#forms.get(form) ?? this.#newLine();
    if (!this.#makeSpace(line.length) || !line.add(network, { network, item }, 1)) return false;
    this.#forms.set(form, line);
    this.#count(network, 1);
    return true;
  }

  take(): Item | null {
    const [turn] = this.#forms;
    if (turn === undefined) return null;
    const [form, line] = turn;
    const { network, item } = line.take() as Entry<Item>;
    this.#count(network, -1);
    // The form goes to the end of the line.
    this.#forms.delete(form);
    if (line.length > 0) this.#forms.set(form, line);
    return item;
  }

  /** When the queue is full, the form with the most items loses one, unless it is the one that adds. */
  #makeSpace(ownLength: number): boolean {
    if (this.#length < waitingMax) return true;
    const [form, longest] = [...this.#forms].reduce((most, one) =>
      one[1].length > most[1].length ? one : most,
    );
    if (longest.length <= ownLength + 1 || !longest.evict()) return false;
    if (longest.length === 0) this.#forms.delete(form);
    return true;
  }

  #newLine(): FairQueue<Entry<Item>> {
    return new FairQueue<Entry<Item>>({
      perOwnerMax: waitingPerNetworkMax,
      bytesMax: waitingPerFormMax,
      onEvicted: ({ network, item }) => {
        this.#count(network, -1);
        this.#deps.onEvicted(item);
      },
    });
  }

  #count(network: string, items: number): void {
    this.#length += items;
    const count = (this.#perNetwork.get(network) ?? 0) + items;
    if (count === 0) this.#perNetwork.delete(network);
    else this.#perNetwork.set(network, count);
  }
}
