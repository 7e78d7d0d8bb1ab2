import type pg from 'pg';
import { shardCount, shardOf } from '../../domain/workspace.ts';
import type { Clock } from '../../time/clock.ts';
import { isDistributed } from '../citus/nodes/bucket-map.ts';
import { isOutage } from '../errors.ts';
import type { Queryable } from '../pool.ts';
import type { DeliverDatabase, WaitingDestination } from './deliver-database.ts';
import { writeOutcomes } from './delivery-outcomes.ts';
import { disableDestination, findSendingDestination, saveHealth } from './destination-health.ts';
import {
  claimDestinations,
  inspectWaiting,
  releaseLeases,
  renewLeases,
  wakeForgotten,
} from './destination-leases.ts';
import {
  cancelPending,
  cancelSome,
  countDelivered,
  listWaiting,
  readDueDeliveries,
} from './due-deliveries.ts';
import { readLeadFacts } from './lead-facts.ts';
import { listReceiving, saveRecipientErrors } from './recipients.ts';
import { replaySome } from './replay-work.ts';

const placesAgeMsMax = 10_000;
const waitingPerPageMax = 1_000;

export function postgresDeliver(pool: pg.Pool, clock: Clock): DeliverDatabase {
  const areDivided = remembered(clock, () => isDistributed(pool));
  return {
    claim: (claim) => claimDestinations(pool, claim),
    renew: (instanceId, ids, until) => renewLeases(pool, instanceId, ids, until),
    release: (instanceId, releases) => releaseLeases(pool, instanceId, releases),
    readDestination: (id) => findSendingDestination(pool, id),
    readDue: (destination, query) => readDueDeliveries(pool, destination, query),
    countDelivered: (destination, since, countMax) => countDelivered(pool, destination, since, countMax),
    listRecipients: (destinationId) => listReceiving(pool, destinationId),
    saveRecipientErrors: (errors) => saveRecipientErrors(pool, errors),
    readLeads(workspaceId, submissionIds) {
      const shard = shardOf(workspaceId);
      return readLeadFacts(
        pool,
        submissionIds.map((submissionId) => ({ shard, workspaceId, submissionId })),
      );
    },
    cancelSome: (destination) => cancelSome(pool, destination),
    partOf: async (workspaceId) => ((await areDivided()) ? shardOf(workspaceId) : null),
    writeOutcomes: (outcomes, part) => writeOutcomes(pool, outcomes, part),
    saveHealth: (changed) => saveHealth(pool, changed),
    disable: (disabling) => disableDestination(pool, disabling),
    sweep: async (now) => sweep(pool, now, await areDivided()),
    replaySome: (now, newId) => replaySome(pool, now, newId),
  };
}

/** Whether tables are distributed changes at most once, so what was known before an outage is still true. */
function remembered(clock: Clock, read: () => Promise<boolean>): () => Promise<boolean> {
  let known: { readonly value: boolean; readonly at: number } | null = null;
  return async () => {
    const now = clock.monotonic();
    if (known !== null && now - known.at <= placesAgeMsMax) return known.value;
    try {
      known = { value: await read(), at: now };
    } catch (error) {
      if (known === null) throw error;
    }
    return known.value;
  };
}

async function sweep(pool: pg.Pool, now: Date, areDivided: boolean): Promise<Date | null> {
  const shards = areDivided ? Array.from({ length: shardCount }, (_, shard) => shard) : [null];
  let firstDueAt: Date | null = null;
  for (const shard of shards) {
    try {
      for await (const waiting of pagesOf(pool, shard)) {
        await wakeForgotten(pool, waiting, now);
        const swept = await inspectWaiting(pool, waiting);
        for (const deleted of swept.deleted) await cancelPending(pool, deleted);
        if (swept.firstDueAt !== null && (firstDueAt === null || swept.firstDueAt < firstDueAt))
          firstDueAt = swept.firstDueAt;
      }
    } catch (error) {
      // A node that is down holds up its own destinations only.
      if (shard === null || !isOutage(error)) throw error;
    }
  }
  return firstDueAt;
}

async function* pagesOf(db: Queryable, shard: number | null): AsyncGenerator<WaitingDestination[]> {
  for (const isReplay of [false, true]) {
    for (let place: WaitingDestination | null = null; ; ) {
      const page: WaitingDestination[] = await listWaiting(db, shard, isReplay, place, waitingPerPageMax);
      if (page.length > 0) yield page;
      if (page.length < waitingPerPageMax) break;
      place = page.at(-1) as WaitingDestination;
    }
  }
}
