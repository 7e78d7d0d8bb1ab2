import { likeness, type Sketch } from './sketch.ts';
import { secondsBetween, windowSeconds } from './window.ts';

/** A row: sketch in four parts | hash of the text | sender | time of the last copy | copies, and whether another is near it. */
const columns = 8;
const rowsFirst = 4;
const rowsMax = 128;
const rowsTried = 8;
const copiesMax = 0xffff;
const nearIt = 0x10000;

/** Of 32 parts of a sketch: unrelated texts share two or three, the same text with every tenth word changed some twenty. */
const nearFrom = 16;
const likeFrom = 8;
/** No more rows than this are kept of texts that are like each other, so a flood pushes nothing else out. */
export const likeTextsMax = 32;
/** Texts that others are near to are kept as if they were so much younger. */
const nearBonus = windowSeconds / 2;

/** How many texts like this one were received within hours. */
export interface TextSightings {
  /** Word for word the same, links too, from other senders. */
  sameText: number;
  /** Nearly the same, from other senders; includes `sameText`. */
  nearText: number;
  /** At least similar, from other senders; includes `nearText`. A single one means nothing. */
  likeText: number;
  /** Nearly the same in other words, from the same sender. */
  ownText: number;
}

/** The long messages of a form: one row for each text and sender. */
export class TextMemory {
  #rows: Int32Array<ArrayBuffer> | null = null;
  /** The row to look at next. */
  #hand = 0;

  get bytes(): number {
    return this.#rows?.byteLength ?? 0;
  }

  /** Compares and remembers. */
  see(sketch: Sketch, text: number, sender: number, now: number): TextSightings {
    const rows = this.#rows ?? this.#grow();
    const seen = { sameText: 0, nearText: 0, likeText: 0, ownText: 0 };
    let known = -1;
    let like = 0;
    let oldestLike = -1;
    let oldestAge = 0;
    let flags = 0;
    for (let row = -columns; ; ) {
      row = nextLike(rows, row + columns, sketch);
      if (row >= rows.length) break;
      const alike = likeness(rows, row, sketch);
      const age = secondsBetween(rows[row + 6] as number, now);
      const copies = (rows[row + 7] as number) & copiesMax;
      if (copies === 0 || age > windowSeconds) continue;
      const isSame = rows[row + 4] === text;
      const isOfSender = rows[row + 5] === sender;
      const isOwn = isOfSender && sender !== 0;
      if (isSame && isOfSender) known = row;
      if (isOwn && isSame) continue;
      like++;
      if (oldestLike < 0 || age > oldestAge) {
        oldestLike = row;
        oldestAge = age;
      }
      const isNear = alike >= nearFrom;
      if (isNear) {
        rows[row + 7] = (rows[row + 7] as number) | nearIt;
        flags = nearIt;
      }
      if (isOwn) {
        if (isNear) seen.ownText++;
        continue;
      }
      const counted = known === row ? copies : 1;
      seen.likeText += counted;
      if (isNear) seen.nearText += counted;
      if (isSame) seen.sameText += counted;
    }
    if (known >= 0) this.#addCopy(known, now);
    else if (like < likeTextsMax) this.#write(this.#rowToUse(now), sketch, text, sender, now, flags);
    // As long as a flood goes on, it is remembered.
    else rows[oldestLike + 6] = now;
    return seen;
  }

  /** Takes back a copy. */
  remove(text: number, sender: number): void {
    const row = this.#find(text, sender);
    if (row >= 0) (this.#rows as Int32Array)[row + 7] = (this.#rows?.[row + 7] as number) - 1;
  }

  #write(row: number, sketch: Sketch, text: number, sender: number, now: number, flags: number): void {
    const rows = this.#rows as Int32Array;
    for (let part = 0; part < 4; part++) rows[row + part] = sketch[part] as number;
    rows[row + 4] = text;
    rows[row + 5] = sender;
    rows[row + 6] = now;
    rows[row + 7] = flags | 1;
  }

  #addCopy(row: number, now: number): void {
    const rows = this.#rows as Int32Array;
    rows[row + 6] = now;
    if (this.#copies(row) < copiesMax) rows[row + 7] = (rows[row + 7] as number) + 1;
  }

  #find(text: number, sender: number): number {
    const rows = this.#rows;
    if (rows === null) return -1;
    for (let row = 0; row < rows.length; row += columns)
      if (rows[row + 4] === text && rows[row + 5] === sender && this.#copies(row) > 0) return row;
    return -1;
  }

  /** A free row, or the oldest of the next few. Looking at all of them would take longer than the comparison. */
  #rowToUse(now: number): number {
    const rows = this.#rows as Int32Array;
    let row = this.#hand;
    let oldest = row;
    let oldestAge = -windowSeconds;
    for (let step = 0; step < rowsTried; step++) {
      const counts = rows[row + 7] as number;
      const age = secondsBetween(rows[row + 6] as number, now);
      if ((counts & copiesMax) === 0 || age > windowSeconds) return row;
      const shownAge = counts >= nearIt ? age - nearBonus : age;
      if (shownAge > oldestAge) {
        oldest = row;
        oldestAge = shownAge;
      }
      row = row + columns < rows.length ? row + columns : 0;
    }
    this.#hand = row;
    if (rows.length >= rowsMax * columns) return oldest;
    this.#grow();
    this.#hand = rows.length + columns;
    return rows.length;
  }

  #copies(row: number): number {
    return (this.#rows?.[row + 7] as number) & copiesMax;
  }

  #grow(): Int32Array {
    const before = this.#rows;
    this.#rows = new Int32Array(before === null ? rowsFirst * columns : before.length * 2);
    if (before !== null) this.#rows.set(before);
    return this.#rows;
  }
}

/** The first row from `from` on whose sketch is like this one; the end if there is none. Most of the cost of a long message. */
function nextLike(rows: Int32Array, from: number, sketch: Sketch): number {
  let row = from;
  while (row < rows.length && likeness(rows, row, sketch) < likeFrom) row += columns;
  return row;
}
