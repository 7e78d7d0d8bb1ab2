/**
 * One call of a function. Rows are never changed in place, only replaced, so that a call can be rolled back by restoring
 * the previous rows.
 */
export class Transaction {
  /** What PostgreSQL calls xmin, in the rows that it writes. */
  readonly number: number;
  readonly #undo: (() => void)[] = [];

  constructor(number: number) {
    this.number = number;
  }

  set<Row>(table: Map<string, Row>, name: string, row: Row): void {
    const before = table.get(name);
    table.set(name, row);
    this.#undo.push(before === undefined ? () => table.delete(name) : () => table.set(name, before));
  }

  delete<Row>(table: Map<string, Row>, name: string): void {
    const before = table.get(name);
    if (before === undefined) return;
    table.delete(name);
    this.#undo.push(() => table.set(name, before));
  }

  append<Row>(table: Row[], row: Row): void {
    table.push(row);
    this.#undo.push(() => table.pop());
  }

  rollBack(): void {
    for (const undo of this.#undo.reverse()) undo();
  }
}
