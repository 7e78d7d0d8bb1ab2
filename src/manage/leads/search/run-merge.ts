import type { Position } from '../../../db/keyset.ts';
import {
  type PieceRow,
  readBlockPlaces,
  readFirstPieces,
  readNextPieces,
} from '../../../db/leads/blocks/block-reads.ts';
import type { Block } from '../../../db/leads/blocks/block-rows.ts';
import type { Queryable } from '../../../db/pool.ts';
import { pieceLeads } from '../../../domain/lead/blocks/places.ts';
import { compareKeys } from '../../../domain/lead/blocks/sort-key.ts';

/** A lead in the run of a block. */
export interface RunEntry {
  readonly key: string;
  readonly block: Block;
  readonly place: number;
}

/** What is read of the run of one block: the rest of the pieces read so far. */
interface Run {
  readonly block: Block;
  entries: RunEntry[];
  next: number;
  lastPiece: PieceRow;
}

export interface Merging {
  readonly db: Queryable;
  readonly workspaceId: string;
  readonly columnId: string;
  readonly blocks: readonly Block[];
  readonly isAscending: boolean;
  /** Where the list continues, and the key there. */
  readonly after: (Position & { readonly key: string }) | null;
}

const piecesAtOnce = 4;
const bytesPerPlace = 2;

/** The runs of all blocks as one sorted list, of which no more is read than is asked for. */
export class RunMerge {
  readonly #merging: Merging;
  /** A heap: no run comes before the one at half of its place. */
  #heap: Run[] = [];
  /** Leads with the key of `after` that come before it, in the block that covers it. */
  #passed = new Set<number>();

  private constructor(merging: Merging) {
    this.#merging = merging;
  }

  static async open(merging: Merging): Promise<RunMerge> {
    const merge = new RunMerge(merging);
    await merge.#start();
    return merge;
  }

  /** The next entries; fewer than asked for at the end. */
  async take(count: number): Promise<RunEntry[]> {
    const taken: RunEntry[] = [];
    while (taken.length < count) {
      const [run] = this.#heap;
      if (run === undefined) break;
      taken.push(run.entries[run.next] as RunEntry);
      run.next++;
      if (run.next === run.entries.length) await this.#readOn(run);
      if (run.next === run.entries.length) this.#removeFirst();
      else this.#sink(0);
    }
    return taken;
  }

  async #start(): Promise<void> {
    const { db, workspaceId, columnId, blocks, isAscending, after } = this.#merging;
    if (after !== null) await this.#findPassed(after);
    const starts = blocks.map((block) => ({
      block: block.block,
      isPastEqual: after !== null && isBefore(block, after, isAscending),
    }));
    const key = after?.key ?? null;
    const pieces = await readFirstPieces(db, workspaceId, columnId, { starts, key, isAscending });
    const byNumber = new Map(blocks.map((block) => [block.block, block]));
    for (const piece of pieces) {
      const block = byNumber.get(piece.block) as Block;
      const run: Run = { block, entries: this.#entriesOf(block, piece), next: 0, lastPiece: piece };
      if (run.entries.length === 0) await this.#readOn(run);
      if (run.entries.length > 0) this.#heap.push(run);
    }
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at);
  }

  async #findPassed(after: Position): Promise<void> {
    const { db, workspaceId, blocks, isAscending } = this.#merging;
    const block = blocks.find(({ from, to }) => from <= after.at && after.at < to);
    if (block === undefined) return;
    const leads = await readBlockPlaces(db, workspaceId, block);
    for (const [place, lead] of leads.entries()) {
      const order =
        lead.at.getTime() - after.at.getTime() || (lead.id < after.id ? -1 : Number(lead.id > after.id));
      if (isAscending ? order <= 0 : order >= 0) this.#passed.add(place);
    }
  }

  /** Those of a piece that come after the place at which the list continues, in the order of the list. */
  #entriesOf(block: Block, piece: PieceRow): RunEntry[] {
    const keys = JSON.parse(piece.keys) as string[];
    const entries = keys.map((key, i) => ({
      key,
      block,
      place: piece.places.readUInt16LE(i * bytesPerPlace),
    }));
    if (!this.#merging.isAscending) entries.reverse();
    return entries.filter((entry) => this.#isAfter(entry));
  }

  #isAfter({ key, block, place }: RunEntry): boolean {
    const { after, isAscending } = this.#merging;
    if (after === null) return true;
    const order = isAscending ? compareKeys(key, after.key) : compareKeys(after.key, key);
    if (order !== 0) return order > 0;
    if (isBefore(block, after, isAscending)) return false;
    const covers = block.from <= after.at && after.at < block.to;
    return !(covers && this.#passed.has(place));
  }

  async #readOn(run: Run): Promise<void> {
    const { db, workspaceId, columnId, isAscending } = this.#merging;
    while (run.next === run.entries.length && !isEnd(run.lastPiece, isAscending)) {
      const options = { isAscending, pieces: piecesAtOnce };
      const pieces = await readNextPieces(db, workspaceId, columnId, run.lastPiece, options);
      const last = pieces.at(-1);
      if (last === undefined) return;
      run.lastPiece = last;
      run.entries = pieces.flatMap((piece) => this.#entriesOf(run.block, piece));
      run.next = 0;
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    for (let at = from; ; ) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && this.#comesBefore(heap[child] as Run, heap[first] as Run)) first = child;
      if (first === at) return;
      [heap[at], heap[first]] = [heap[first] as Run, heap[at] as Run];
      at = first;
    }
  }

  #comesBefore(one: Run, other: Run): boolean {
    const a = one.entries[one.next] as RunEntry;
    const b = other.entries[other.next] as RunEntry;
    const order =
      compareKeys(a.key, b.key) || a.block.from.getTime() - b.block.from.getTime() || b.place - a.place;
    return this.#merging.isAscending ? order < 0 : order > 0;
  }
}

/**
 * Whether a run has no pieces after one. Few leads have some fields, so the runs of many blocks are one short piece, and asking
 * each for the next would take longer than all else.
 */
function isEnd({ piece, places }: PieceRow, isAscending: boolean): boolean {
  return isAscending ? places.length < pieceLeads * bytesPerPlace : piece === 0;
}

/** Whether all leads of a block come before a lead, if their keys are the same. */
function isBefore({ from, to }: Block, { at }: Position, isAscending: boolean): boolean {
  return isAscending ? to <= at : from > at;
}
