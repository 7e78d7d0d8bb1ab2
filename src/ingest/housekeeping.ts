import type pg from 'pg';
import type { Logger } from 'pino';
import { deleteOldAlarms } from '../db/alarms/alarms.ts';
import { deleteOldSpools } from '../db/alarms/instance-spools.ts';
import { deleteOldServiceTimes } from '../db/alarms/service-times.ts';
import { deleteOldUnattributedRequests } from '../db/diagnostics/unattributed-requests.ts';
import { deleteOldTokenAddresses } from '../db/forms/token-addresses.ts';
import { deleteExpiredHandovers } from '../db/forms/token-handovers.ts';
import {
  deleteExpiredHeld,
  deleteOldHeldDecisions,
  deleteOldMissed,
  listWithExpiredHeld,
} from '../db/held/held-removal.ts';
import {
  type AgingTable,
  deleteBefore,
  deleteExpiredKeys,
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldFlushes,
  deleteOldOtherBodies,
  deleteOldReplays,
  deleteOldUnattributed,
  deleteOldUnauthenticatedEvents,
  forgetErasedBodies,
} from '../db/housekeeping.ts';
import { deleteOldLeadActions } from '../db/leads/actions/lead-actions.ts';
import { attemptKeptDays, deliveryKeptDays, eventKeptDays } from '../domain/destination/destination.ts';
import { missedCountedDays, unprovenKeptDays } from '../domain/held/held-bounds.ts';
import { otherBodyKeptDays } from '../domain/lead/idempotency.ts';
import { shardCount } from '../domain/workspace.ts';
import { type Clock, dayMs, type Loop } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';
import { pause } from '../time/repeat.ts';

export interface HousekeepingDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
}

const stepMs = 5_000;
/** Of one statement. */
const rowsMax = 5_000;
/** Once in so many steps: a flood of requests without a workspace would collect too many until the next pass. */
const unattributedShards = 16;
/** Between the tables of a shard, so that leads need not wait for all of them in a row. */
const restMs = 50;
const countsKeptMs = 400 * dayMs;
/** Longer than any request waits to be written. */
const erasedBodiesKnownMs = unprovenKeptDays * dayMs;
const missedKeptMs = missedCountedDays * dayMs;
const decisionsKeptMs = 30 * dayMs;
const tokenAddressesKeptMs = 30 * dayMs;
const alarmsKeptMs = 400 * dayMs;
const spoolNotesKeptMs = 30 * dayMs;
const flushesKeptMs = 7 * dayMs;
const mintCountsKeptMs = 7 * dayMs;
/** Longer than what rhythms of leads are learnt from. */
const serviceTimesKeptMs = 100 * dayMs;
const keptMs: Readonly<Record<AgingTable, number>> = {
  rejection_entries: 30 * dayMs,
  diagnostic_notes: 30 * dayMs,
  outcome_counts: countsKeptMs,
  handling_times: countsKeptMs,
  // Longer than any overlap of two secrets.
  former_secret_uses: 30 * dayMs,
  // A host with a spool may be down for that long.
  lead_erasures: 400 * dayMs,
  node_flushes: flushesKeptMs,
  mint_counts: mintCountsKeptMs,
  clock_drifts: 30 * dayMs,
};
const eventsKeptMs = eventKeptDays * dayMs;
const attemptsKeptMs = attemptKeptDays * dayMs;
const deliveriesKeptMs = deliveryKeptDays * dayMs;
const otherBodiesKeptMs = otherBodyKeptDays * dayMs;

/** Cleans up one shard every few seconds. Several instances may do so at the same time: they skip each other's rows. */
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
    this.#loop = clock.repeat((stopping) => this.#step(stopping), {
      pauseMs: stepMs,
      pauseFirst: true,
      onFailure: (error) => log.warn({ err: error }, 'cleanup failed; trying again'),
    });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  /** One pass over all shards. */
  async sweep(): Promise<void> {
    for (let i = 0; i < shardCount; i++) await this.#step();
  }

  async #step(stopping?: AbortSignal): Promise<void> {
    const { pool, clock } = this.#deps;
    const shard = this.#shard;
    const now = clock.now();
    this.#shard = (shard + 1) % shardCount;
    // First: the rest may need a node of a cluster that is down. The next step then works on another shard.
    if (shard % unattributedShards === 0) await deleteOldUnattributedRequests(pool);
    if (shard === 0) await deleteOldOtherBodies(pool, now - otherBodiesKeptMs, rowsMax);
    if (shard === 0) await deleteOldUnattributed(pool, now - countsKeptMs);
    if (shard === 0) await deleteOldFlushes(pool, now - flushesKeptMs);
    if (shard === 0) await deleteOldServiceTimes(pool, now - serviceTimesKeptMs);
    if (shard === 0) await deleteOldSpools(pool, now - spoolNotesKeptMs);
    if (shard === 0) await deleteOldReplays(pool, now - deliveriesKeptMs);
    if (shard === 0) await deleteOldUnauthenticatedEvents(pool, now - countsKeptMs);
    if (shard === 0) await deleteOldHeldDecisions(pool, new Date(now - decisionsKeptMs));
    if (shard === 0) await deleteOldTokenAddresses(pool, new Date(now - tokenAddressesKeptMs));
    if (shard === 0) await deleteExpiredHandovers(pool, new Date(now));
    if (shard === 0) await deleteOldLeadActions(pool, new Date(now - decisionsKeptMs));
    if (shard === 0) await deleteOldAlarms(pool, now - alarmsKeptMs, rowsMax);
    // What a pass leaves would be more after each one, so it leaves nothing.
    const all = async (deleteSome: () => Promise<number>) => {
      while ((await deleteSome()) === rowsMax && !stopping?.aborted);
      if (stopping !== undefined) await pause(clock, restMs, stopping);
    };
    for (const workspaceId of await listWithExpiredHeld(pool, shard, new Date(now)))
      await all(() => deleteExpiredHeld(pool, workspaceId, new Date(now), rowsMax));
    await deleteOldMissed(pool, shard, new Date(now - missedKeptMs));
    await all(() => deleteExpiredKeys(pool, shard, now, rowsMax));
    for (const [table, ms] of Object.entries(keptMs))
      await all(() => deleteBefore(pool, table as AgingTable, shard, now - ms, rowsMax));
    await all(() => deleteOldEvents(pool, shard, now - eventsKeptMs, rowsMax));
    await all(() => deleteOldAttempts(pool, shard, now - attemptsKeptMs, rowsMax));
    await all(() => deleteOldDeliveries(pool, shard, now - deliveriesKeptMs, rowsMax));
    await forgetErasedBodies(pool, shard, now - erasedBodiesKnownMs);
  }
}
