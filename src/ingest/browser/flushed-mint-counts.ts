import type { Logger } from 'pino';
import type { MintCount, MintCountPart } from '../../db/browser/mint-counts.ts';
import { isRefusedRow } from '../../db/errors.ts';
import { shardOf } from '../../domain/workspace.ts';
import { type Clock, type Loop, minuteMs } from '../../time/clock.ts';
import type { FormEntry } from '../directory/directory.ts';

export interface FlushedMintCountsDeps {
  /** Where they are written. */
  readonly part: MintCountPart;
  /** Under which they are written. Nothing else has the same. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const flushMs = 1_000;
/** While the database is unavailable, what would be more rows is not counted. */
const rowsMax = 20_000;

/**
 * Counts since the last flush, as they are stored.
 *
 *   counts   what was counted since the last flush began
 *   unsent   what that flush writes. It is sent again, unchanged and under the same sequence number, until the database
 *            confirms it; only then do the counts take its place under the next number
 */
export class FlushedMintCounts {
  readonly #deps: FlushedMintCountsDeps;
  #counts = new Map<string, MintCount>();
  #unsent: readonly MintCount[] = [];
  #sequence = 0;
  #hasFailed = false;
  #flushing: Promise<void> | null = null;
  #loop: Loop | null = null;

  constructor(deps: FlushedMintCountsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.flush(), { pauseMs: flushMs, pauseFirst: true });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.flush();
    // Writes what was counted during that flush. If it failed, another would fail too.
    if (this.#unsent.length === 0) await this.flush();
  }

  count({ id: formId, workspaceId }: FormEntry, origin: string, step: string, at: number): void {
    const minute = at - (at % minuteMs);
    const name = `${formId} ${minute} ${step} ${origin}`;
    const known = this.#counts.get(name);
    if (known !== undefined) {
      known.count++;
      known.lastAt = at;
    } else if (this.#counts.size < rowsMax) {
      const shard = shardOf(workspaceId);
      this.#counts.set(name, { shard, workspaceId, formId, minute, origin, step, count: 1, lastAt: at });
    }
  }

  /** Never throws: what could not be written is sent with the next flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const { part, instanceId, clock, log } = this.#deps;
    if (this.#unsent.length === 0) {
      if (this.#counts.size === 0) return;
      this.#unsent = [...this.#counts.values()];
      this.#counts = new Map();
      this.#sequence++;
    }
    try {
      await part.addMintCounts(instanceId, this.#sequence, clock.now(), this.#unsent);
      this.#unsent = [];
      this.#hasFailed = false;
    } catch (error) {
      // Sent again, it would be refused again and hold up all that follows.
      if (isRefusedRow(error)) {
        log.error({ err: error, rows: this.#unsent.length }, 'counts of web pages refused; they are lost');
        this.#unsent = [];
        return;
      }
      // Logged once per outage, not every second.
      if (!this.#hasFailed)
        log.warn({ err: error }, 'counts of web pages not written; keeping them for the next attempt');
      this.#hasFailed = true;
    }
  }
}
