import { createHash } from 'node:crypto';

/** What happened, in order. The same seed must give the same lines; only their hash is kept unless somebody wants to read them. */
export class Trace {
  readonly lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #isKept: boolean;
  readonly #now: () => number;

  constructor(now: () => number, isKept: boolean) {
    this.#now = now;
    this.#isKept = isKept;
  }

  add(who: string, what: string): void {
    const line = `${this.#now().toFixed(3)} ${who} ${what}`;
    this.#hash.update(line);
    if (this.#isKept) this.lines.push(line);
  }

  /** To be asked once, at the end. */
  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}
