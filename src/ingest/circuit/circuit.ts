import type { Logger } from 'pino';
import { isReadOnly } from '../../db/errors.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import { done } from '../../time/repeat.ts';

export interface CircuitDeps {
  /** What the circuit is for, at the beginning of a sentence. */
  readonly name: () => string;
  /** Resolves when it accepts commits again. */
  readonly probe: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

const probePauseMs = 250;

/**
 * Whether leads go to PostgreSQL, or to one node of a cluster.
 *
 *   closed → open    by `trip`: a commit, the drain or the lookup of a key failed or took too long, or the service started
 *                    without PostgreSQL
 *   open   → closed  by a successful probe; probes run one after another with a short pause
 *
 * While it is open, no request waits for PostgreSQL.
 */
export class Circuit {
  readonly #deps: CircuitDeps;
  #isOpen = false;
  #isStopped = false;
  #probing: Loop | null = null;

  constructor(deps: CircuitDeps) {
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  trip(error: unknown): void {
    if (this.#isOpen || this.#isStopped) return;
    this.#isOpen = true;
    const name = this.#deps.name();
    this.#deps.log.error(
      { err: error },
      isReadOnly(error)
        ? `${name} is read-only, like a standby; leads go to the spool until it is promoted`
        : `${name} does not accept leads; they go to the spool until it does`,
    );
    this.#probing = this.#deps.clock.repeat(() => this.#probe(), { pauseMs: probePauseMs, pauseFirst: true });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#probing?.stop();
  }

  async #probe(): Promise<typeof done | undefined> {
    if (!(await this.#isBack())) return;
    this.#isOpen = false;
    this.#deps.log.info(`${this.#deps.name()} accepts leads again`);
    return done;
  }

  async #isBack(): Promise<boolean> {
    try {
      await this.#deps.probe();
      return true;
    } catch (error) {
      this.#deps.log.debug({ err: error }, `${this.#deps.name()} probe failed`);
      return false;
    }
  }
}
