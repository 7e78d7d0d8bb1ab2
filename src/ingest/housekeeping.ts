import type pg from 'pg';
import type { Logger } from 'pino';
import {
  deleteExpiredKeys,
  deleteOldCounts,
  deleteOldEntries,
  deleteOldErasures,
  deleteOldEventsOfStrangers,
  deleteOldFlushes,
  deleteOldFormerSecretUses,
  deleteOldNotes,
  deleteOldOtherBodies,
  deleteOldRejectedRequests,
  deleteOldUnattributed,
  forgetErasedBodies,
} from '../db/housekeeping.ts';
import { otherBodyKeptDays } from '../domain/lead/idempotency.ts';
import { rejectedRequestKeptDays } from '../domain/rejected-request.ts';
import { shardCount } from '../domain/workspace.ts';
import { type Clock, dayMs, type Loop } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';

export interface HousekeepingDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
}

const stepMs = 5_000;
const rowsPerStepMax = 5_000;
const entriesKeptMs = 30 * dayMs;
const rejectedRequestsKeptMs = rejectedRequestKeptDays * dayMs;
const countsKeptMs = 400 * dayMs;
// Longer than any overlap lasts.
const formerSecretUsesKeptMs = 30 * dayMs;
const flushesKeptMs = 7 * dayMs;
const otherBodiesKeptMs = otherBodyKeptDays * dayMs;
// As long as a host with a spool may be off.
const erasuresKeptMs = 400 * dayMs;

/** Cleans up one shard every few seconds. Instances may do so side by side: they skip each other's rows. */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #shard: number;
  #loop: Loop | null = null;

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
    this.#shard = Math.floor(deps.randomness.fraction() * shardCount);
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#loop = clock.repeat(() => this.#step(), {
      pauseMs: stepMs,
      pauseFirst: true,
      onFailure: (error) => log.warn({ err: error }, 'cleaning up failed and is tried again later'),
    });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  /** One pass over everything; what one step leaves, the next pass takes. */
  async sweep(): Promise<void> {
    for (let i = 0; i < shardCount; i++) await this.#step();
  }

  async #step(): Promise<void> {
    const { pool, clock } = this.#deps;
    const shard = this.#shard;
    const now = clock.now();
    this.#shard = (shard + 1) % shardCount;
    await deleteExpiredKeys(pool, shard, now, rowsPerStepMax);
    await deleteOldEntries(pool, shard, now - entriesKeptMs, rowsPerStepMax);
    await deleteOldRejectedRequests(pool, shard, now - rejectedRequestsKeptMs, rowsPerStepMax);
    await deleteOldNotes(pool, shard, now - entriesKeptMs, rowsPerStepMax);
    await deleteOldCounts(pool, shard, now - countsKeptMs, rowsPerStepMax);
    await deleteOldFormerSecretUses(pool, shard, now - formerSecretUsesKeptMs, rowsPerStepMax);
    await forgetErasedBodies(pool, shard, now - rejectedRequestsKeptMs);
    await deleteOldErasures(pool, shard, now - erasuresKeptMs, rowsPerStepMax);
    if (shard === 0) await deleteOldOtherBodies(pool, now - otherBodiesKeptMs, rowsPerStepMax);
    if (shard === 0) await deleteOldUnattributed(pool, now - countsKeptMs);
    if (shard === 0) await deleteOldFlushes(pool, now - flushesKeptMs);
    if (shard === 0) await deleteOldEventsOfStrangers(pool, now - countsKeptMs);
  }
}
