import type pg from 'pg';
import { wakeDestinations } from '../db/deliver/new-deliveries.ts';
import { addEnrichJob } from '../db/enrichment/enrichment-jobs.ts';
import { dropBlocksWithout } from '../db/leads/blocks/dropped-blocks.ts';
import { byShard, type LeadRef } from '../db/leads/lead-ref.ts';
import { inTransaction, inTransactionOn } from '../db/pool.ts';
import { type NotedLead, readNotedLeads } from '../db/relay/noted-leads.ts';
import { deleteNotes, type Note, readNotes, takeNotes } from '../db/relay/outbox.ts';
import { isRelayFree, whileRelaying } from '../db/relay/relay-lock.ts';
import { minuteMs } from '../time/clock.ts';
import { type EventDeps, makeEvents } from './events.ts';
import type { NodeShards } from './nodes.ts';
import { keyOf, leadsIn, leadsToEnrich } from './noted.ts';

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
    await dropOutdated(client, notes, leads, deps);
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
    await dropOutdated(client, taken, leads, deps);
    return makeEvents(client, taken, leads, deps);
  });
  await wakeDestinations(client, wakes);
}

// No block of the index covers later times, even if the clocks of instances differ by minutes.
const lateMs = minuteMs;

/** A lead that comes late, from a spool, may have its place in a block of the index, which does not know it. */
async function dropOutdated(
  client: pg.PoolClient,
  notes: readonly Note[],
  leads: readonly NotedLead[],
  { clock }: EventDeps,
): Promise<void> {
  const isLate = ({ receivedAt }: NotedLead) => receivedAt.getTime() < clock.now() - lateMs;
  const late = new Map(leads.filter(isLate).map((lead) => [keyOf(lead), lead]));
  if (late.size === 0) return;
  const accepted = leadsIn(notes.filter(({ type }) => type === 'lead.accepted'));
  const arrived = accepted.flatMap((lead) => late.get(keyOf(lead)) ?? []);
  const byWorkspace = [...Map.groupBy(arrived, ({ workspaceId }) => workspaceId)];
  for (const [workspaceId, ofWorkspace] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await dropBlocksWithout(client, workspaceId, ofWorkspace);
}

async function enrich(client: pg.PoolClient, leads: readonly LeadRef[]): Promise<void> {
  if (leads.length > 0) await addEnrichJob(client, leads, 0);
}
