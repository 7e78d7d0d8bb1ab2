import { secondsBetween, windowSeconds } from './window.ts';

/** A row: body | start of its present half of the window | copies in the half before, copies since, 16 bits each. */
const columns = 3;
const ways = 8;
const rowsMax = 1_024;
const halfSeconds = windowSeconds / 2;
const copiesMax = 0xffff;

/**
 * How often each body of a form was received within hours. A body has one row however often it comes, so a flood pushes
 * nothing out. Its hash determines eight places where it can be; when they are taken, the oldest body there that came only
 * once gives way.
 */
export class BodyCounts {
  #rows = new Int32Array(ways * columns);

  get bytes(): number {
    return this.#rows.byteLength;
  }

  /** Counts this copy too, and returns how many there were before it. */
  add(body: number, now: number): number {
    const row = this.#find(body);
    if (row < 0) {
      this.#insert(body, now);
      return 0;
    }
    this.#roll(row, now);
    const counts = this.#rows[row + 2] as number;
    const since = counts & copiesMax;
    if (since < copiesMax) this.#rows[row + 2] = counts + 1;
    return (counts >>> 16) + since;
  }

  /** Takes back a copy that was counted at that time. */
  remove(body: number, at: number): void {
    const row = this.#find(body);
    if (row < 0) return;
    const counts = this.#rows[row + 2] as number;
    const isSince = secondsBetween(this.#rows[row + 1] as number, at) >= 0;
    if (isSince && (counts & copiesMax) > 0) this.#rows[row + 2] = counts - 1;
    else if (!isSince && counts >>> 16 > 0) this.#rows[row + 2] = counts - 0x10000;
  }

  /** The row of a body, or -1. Rows without copies are free. */
  #find(body: number): number {
    const rows = this.#rows;
    const first = this.#setOf(body);
    for (let row = first; row < first + ways * columns; row += columns)
      if (rows[row] === body && rows[row + 2] !== 0) return row;
    return -1;
  }

  /** Copies older than the window no longer count. They leave it in two portions. */
  #roll(row: number, now: number): void {
    const rows = this.#rows;
    const age = secondsBetween(rows[row + 1] as number, now);
    if (age < halfSeconds) return;
    const isOver = age >= windowSeconds;
    rows[row + 2] = isOver ? 0 : (rows[row + 2] as number) << 16;
    rows[row + 1] = isOver ? now : (rows[row + 1] as number) + halfSeconds;
  }

  #insert(body: number, now: number): void {
    let row = this.#freeRow(body, now);
    while (row < 0 && this.#rows.length < rowsMax * columns) {
      this.#grow();
      row = this.#freeRow(body, now);
    }
    if (row < 0) row = this.#victim(body);
    this.#rows[row] = body;
    this.#rows[row + 1] = now;
    this.#rows[row + 2] = 1;
  }

  #freeRow(body: number, now: number): number {
    const rows = this.#rows;
    const first = this.#setOf(body);
    for (let row = first; row < first + ways * columns; row += columns) {
      const isOver = secondsBetween(rows[row + 1] as number, now) >= windowSeconds;
      if (rows[row + 2] === 0 || isOver) return row;
    }
    return -1;
  }

  #victim(body: number): number {
    const first = this.#setOf(body);
    let victim = first;
    for (let row = first + columns; row < first + ways * columns; row += columns)
      if (this.#isLessNeeded(row, victim)) victim = row;
    return victim;
  }

  #isLessNeeded(row: number, than: number): boolean {
    const rows = this.#rows;
    const isSingle = rows[row + 2] === 1 || rows[row + 2] === 0x10000;
    const isOtherSingle = rows[than + 2] === 1 || rows[than + 2] === 0x10000;
    if (isSingle !== isOtherSingle) return isSingle;
    return secondsBetween(rows[row + 1] as number, rows[than + 1] as number) > 0;
  }

  /** Index of the first row of the set in which a body can be. */
  #setOf(body: number): number {
    const sets = this.#rows.length / (ways * columns);
    const mixed = Math.imul(body ^ (body >>> 16), 0x9e3779b1);
    return ((mixed >>> 12) & (sets - 1)) * ways * columns;
  }

  /** Each set is divided into two, so nothing is lost. */
  #grow(): void {
    const before = this.#rows;
    this.#rows = new Int32Array(before.length * 2);
    for (let at = 0; at < before.length; at += columns) {
      if (before[at + 2] === 0) continue;
      let row = this.#setOf(before[at] as number);
      while (this.#rows[row + 2] !== 0) row += columns;
      this.#rows.set(before.subarray(at, at + columns), row);
    }
  }
}
