import type { Logger } from 'pino';
import type { FlushPart } from '../../db/ingest/ingest-database.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import { pause } from '../../time/repeat.ts';
import type { HostCaps } from './host-caps.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { WaitingEntries } from './waiting-entries.ts';

export interface FlushedTallyDeps {
  /** Where it is written. */
  readonly part: FlushPart;
  /** Under which it is written. No other tally has the same. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Null if this process is alone on its host. */
  readonly host: HostCaps | null;
}

const flushMs = 1_000;
/** Writing should take a fiftieth of the time at most, because leads wait for it … */
const restPerWork = 50;
/** … but outcomes are seen within five seconds. */
export const betweenFlushesMsMax = 3_000;
/** After each statement, so that leads need not wait for all of them in a row … */
const restMs = 5;
/** … but not for long: the transaction has locked its counts, which other workers write too. */
const restsMsMax = 100;

/**
 * Counts in memory, and writes the sums once a second, or less often while that takes long.
 *
 *   tally    what was counted since the last flush began
 *   unsent   what that flush writes. It is sent again, unchanged and under the same sequence number, until the database
 *            confirms it; only then does the tally take its place under the next number
 */
export class FlushedTally {
  readonly #deps: FlushedTallyDeps;
  readonly #entries = new WaitingEntries();
  #tally = new OutcomeTally(this.#entries);
  #unsent: OutcomeTally | null = null;
  #sequence = 0;
  #hasFailed = false;
  #flushing: Promise<void> | null = null;
  #loop: Loop | null = null;
  /** In this flush. */
  #restedMs = 0;
  readonly #stopping = new AbortController();

  constructor(deps: FlushedTallyDeps) {
    this.#deps = deps;
  }

  get tally(): OutcomeTally {
    return this.#tally;
  }

  start(): void {
    const pauses = { pauseMs: flushMs, pauseFirst: true };
    this.#loop = this.#deps.clock.repeat((stopping) => this.#flushAndRest(stopping), pauses);
  }

  async #flushAndRest(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const startedAt = clock.monotonic();
    this.#restedMs = 0;
    await this.flush();
    const workedMs = clock.monotonic() - startedAt - this.#restedMs;
    const pauseMs = Math.min(betweenFlushesMsMax, workedMs * restPerWork) - flushMs;
    if (pauseMs > 0) await pause(clock, pauseMs, stopping);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop?.stop();
    await this.flush();
    // Writes what was counted during that flush, and entries that it left. If it failed, another would fail too.
    if (this.#unsent === null) await this.flush();
    while (this.#unsent === null && !this.#entries.isEmpty) await this.flush();
  }

  /** Never throws: what could not be written is sent with the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const { part, instanceId, clock, log, host } = this.#deps;
    if (this.#unsent === null) {
      if (this.#tally.isEmpty) return;
      this.#unsent = this.#tally;
      this.#tally = new OutcomeTally(this.#entries);
      this.#sequence++;
      this.#entries.beginFlush();
    }
    if (host !== null) await this.#unsent.keepWithinCaps(host);
    try {
      await part.apply(instanceId, this.#sequence, clock.now(), this.#unsent.toFlush(), () => this.#rest());
      this.#entries.endFlush();
      this.#unsent = null;
      this.#hasFailed = false;
    } catch (error) {
      // Logged once per outage, not every second.
      if (!this.#hasFailed)
        log.warn({ err: error }, 'diagnostics not written; keeping them for the next attempt');
      this.#hasFailed = true;
    }
  }

  async #rest(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#restedMs >= restsMsMax) return;
    const startedAt = clock.monotonic();
    await pause(clock, restMs, this.#stopping.signal);
    this.#restedMs += clock.monotonic() - startedAt;
  }
}
