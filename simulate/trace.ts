import { createHash } from 'node:crypto';

/** What happened, in order. The same seed must give the same lines. Only their hash is kept unless the lines are requested. */
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

  /** Call it once, at the end. */
  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}
