import type { Logger } from 'pino';

/** Stops everything in reverse order of its start. */
export class Stops {
  readonly #steps: (() => Promise<unknown>)[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(...steps: (() => Promise<unknown>)[]): void {
    this.#steps.push(...steps);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      // A part that fails to stop must not keep the others running.
      await step().catch((error) => this.#log.warn({ err: error }, 'shutdown step failed'));
    }
  }
}
