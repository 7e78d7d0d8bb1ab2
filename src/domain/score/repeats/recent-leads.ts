import { secondsBetween } from './window.ts';

/** A row: body | email | network | time. */
const columns = 4;
const rowsFirst = 8;
const rowsMax = 128;
const tenMinutes = 600;
const hour = 3_600;

/** The latest leads of a form, to count those of one address and of one network. */
export class RecentLeads {
  #rows = new Int32Array(rowsFirst * columns);
  #end = 0;
  #next = 0;

  get bytes(): number {
    return this.#rows.byteLength;
  }

  /** Other leads of the address within an hour, and leads of other addresses from the network within ten minutes. */
  count(body: number, email: number, network: number, now: number): [sameEmail: number, sameNetwork: number] {
    const rows = this.#rows;
    let sameEmail = 0;
    let sameNetwork = 0;
    for (let row = 0; row < this.#end; row += columns) {
      const isSameEmail = email !== 0 && rows[row + 1] === email;
      const isSameNetwork = network !== 0 && rows[row + 2] === network;
      if (!isSameEmail && !isSameNetwork) continue;
      const age = secondsBetween(rows[row + 3] as number, now);
      if (isSameEmail && rows[row] !== body && age <= hour) sameEmail++;
      if (isSameNetwork && !isSameEmail && age <= tenMinutes) sameNetwork++;
    }
    return [sameEmail, sameNetwork];
  }

  add(body: number, email: number, network: number, now: number): void {
    if (this.#next === this.#rows.length) {
      if (this.#rows.length < rowsMax * columns) this.#grow();
      else this.#next = 0;
    }
    const row = this.#next;
    this.#rows[row] = body;
    this.#rows[row + 1] = email;
    this.#rows[row + 2] = network;
    this.#rows[row + 3] = now;
    this.#next = row + columns;
    this.#end = Math.max(this.#end, this.#next);
  }

  /** A later lead may have taken its place. */
  remove(body: number, email: number, network: number, at: number): void {
    const rows = this.#rows;
    for (let row = 0; row < this.#end; row += columns) {
      if (rows[row] !== body || rows[row + 3] !== at) continue;
      if (rows[row + 1] !== email || rows[row + 2] !== network) continue;
      rows[row + 1] = rows[row + 2] = 0;
      return;
    }
  }

  #grow(): void {
    const rows = new Int32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}
