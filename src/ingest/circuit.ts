import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isReadOnly } from '../db/errors.ts';

export interface CircuitDeps {
  /** Resolves when PostgreSQL takes commits again. */
  readonly probe: () => Promise<void>;
  readonly log: Logger;
}

const probePauseMs = 250;

/**
 * Whether leads go to PostgreSQL.
 *
 *   closed → open    by `trip`: a commit failed, or took longer than its deadline
 *   open   → closed  by a probe that succeeds; one follows another with a short pause
 *
 * While it is open no request waits for PostgreSQL.
 */
export class Circuit {
  readonly #deps: CircuitDeps;
  readonly #stopping = new AbortController();
  #isOpen = false;
  #probing: Promise<void> | null = null;

  constructor(deps: CircuitDeps) {
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  trip(error: unknown): void {
    if (this.#isOpen || this.#stopping.signal.aborted) return;
    this.#isOpen = true;
    this.#deps.log.error(
      { err: error },
      isReadOnly(error)
        ? 'PostgreSQL is read-only, as a standby is; leads go to the spool until it is promoted'
        : 'PostgreSQL does not take leads; they go to the spool until it does',
    );
    this.#probing = this.#probeUntilClosed();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#probing;
  }

  async #probeUntilClosed(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(probePauseMs, undefined, { signal }).catch(() => {});
      if (await this.#isBack()) {
        this.#isOpen = false;
        this.#deps.log.info('PostgreSQL takes leads again');
        return;
      }
    }
  }

  async #isBack(): Promise<boolean> {
    try {
      await this.#deps.probe();
      return true;
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'PostgreSQL does not answer yet');
      return false;
    }
  }
}
