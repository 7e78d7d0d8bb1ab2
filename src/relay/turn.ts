import type pg from 'pg';
import { wakeDestinations } from '../db/deliver/new-deliveries.ts';
import { addEnrichJob } from '../db/enrichment/enrichment-jobs.ts';
import { byShard, type LeadRef } from '../db/leads/lead-ref.ts';
import { inTransaction, inTransactionOn } from '../db/pool.ts';
import { readNotedLeads } from '../db/relay/noted-leads.ts';
import { deleteNotes, type Note, readNotes, takeNotes } from '../db/relay/outbox.ts';
import { isRelayFree, whileRelaying } from '../db/relay/relay-lock.ts';
import { type EventDeps, makeEvents } from './events.ts';
import type { NodeShards } from './nodes.ts';
import { leadsIn, leadsToEnrich } from './noted.ts';

export interface TurnDeps extends EventDeps {
  readonly pool: pg.Pool;
}

/**
 * Turns notes into an enrichment job, events and deliveries, in one transaction: whatever was noted is either still a note,
 * or all of these. One relay does so at a time, so that the events of a lead keep their order. False when there is nothing
 * to do, or when another relay is doing it.
 */
export async function relayNotes(deps: TurnDeps, notesMax: number): Promise<boolean> {
  return inTransaction(deps.pool, async (client) => {
    if (!(await isRelayFree(client))) return false;
    const notes = await takeNotes(client, notesMax);
    if (notes.length === 0) return false;
    const leads = await readNotedLeads(client, leadsIn(notes));
    await enrich(client, leadsToEnrich(notes, leads));
    await wakeDestinations(client, await makeEvents(client, notes, leads, deps));
    return true;
  });
}

/**
 * The same for the notes of one node of a cluster. Notes, events and deliveries are on the node, jobs and destinations on
 * the coordinator, and nothing makes both change together. So the job is committed first: a relay that is killed in between
 * leaves notes that become a second job, which changes nothing. The destinations are woken last: the engine finds due
 * deliveries without it too, but later.
 */
export async function relayNotesOfNode(
  { pool, ...deps }: TurnDeps,
  { groupId, shards }: NodeShards,
  notesMax: number,
): Promise<boolean> {
  const isAny = await whileRelaying(pool, groupId, async (client) => {
    const notes = await readNotes(client, shards, notesMax);
    const clean: LeadRef[] = [];
    for (const ofShard of byShard(leadsIn(notes))) {
      const leads = await readNotedLeads(client, ofShard);
      clean.push(...leadsToEnrich(notes, leads));
    }
    await enrich(client, clean);
    for (const together of byShard(notes)) await relayBucket(client, together, deps);
    return notes.length > 0;
  });
  return isAny ?? false;
}

/** Notes of one bucket: they have the same shard. */
async function relayBucket(client: pg.PoolClient, notes: readonly Note[], deps: EventDeps): Promise<void> {
  const wakes = await inTransactionOn(client, async () => {
    const taken = await deleteNotes(client, notes);
    const leads = [];
    for (const ofShard of byShard(leadsIn(taken))) leads.push(...(await readNotedLeads(client, ofShard)));
    return makeEvents(client, taken, leads, deps);
  });
  await wakeDestinations(client, wakes);
}

async function enrich(client: pg.PoolClient, leads: readonly LeadRef[]): Promise<void> {
  if (leads.length > 0) await addEnrichJob(client, leads, 0);
}
