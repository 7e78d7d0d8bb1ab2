import type pg from 'pg';
import { insertDeliveries, type NewDelivery, sendEnriched, type Wake } from '../db/deliver/new-deliveries.ts';
import { listSubscriptions, type Subscription } from '../db/deliver/subscriptions.ts';
import { insertEvents, type NewEvent, reserveNumbers } from '../db/relay/lead-events.ts';
import type { NotedLead } from '../db/relay/noted-leads.ts';
import type { Note } from '../db/relay/outbox.ts';
import { isAlarmEvent } from '../domain/destination/alarm/alarm-event.ts';
import { deliveryId } from '../domain/destination/delivery-id.ts';
import type { EventType } from '../domain/destination/destination.ts';
import { type Clock, secondMs } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';
import { type Candidate, matching } from './matching.ts';
import { keyOf, type Noted, notedIn } from './noted.ts';

export interface EventDeps {
  readonly clock: Clock;
  readonly randomness: Randomness;
}

// A turn can have ten thousand leads, and a workspace fifty destinations: all of their deliveries would fill the memory.
const eventsMatchedAtOnce = 500;

/** An event, and its lead unless it was erased or there is none. */
interface LeadEvent {
  readonly event: NewEvent;
  readonly lead: NotedLead | null;
}

/**
 * Numbers and stores the events that notes tell of, and makes their deliveries. The leads of the notes are given as far as
 * they still exist. Returns when each destination has something due.
 */
export async function makeEvents(
  client: pg.PoolClient,
  notes: readonly Note[],
  leads: readonly NotedLead[],
  deps: EventDeps,
): Promise<Map<string, Wake>> {
  const events = await numbered(client, happened(notes, leads));
  if (events.length === 0) return new Map();
  await insertEvents(
    client,
    events.map(({ event }) => event),
  );
  const workspaceIds = new Set(events.map(({ event }) => event.workspaceId));
  const subscriptions = await listSubscriptions(client, [...workspaceIds]);
  const wakes = new Map<string, Wake>();
  if (subscriptions.length === 0) return wakes;
  const wake = (id: string, at: Date, isUrgent = false) => {
    const before = wakes.get(id);
    const isFirst = before === undefined || before.at > at;
    wakes.set(id, { at: isFirst ? at : before.at, isUrgent: isUrgent || before?.isUrgent === true });
  };
  for (let start = 0; start < events.length; start += eventsMatchedAtOnce) {
    const some = events.slice(start, start + eventsMatchedAtOnce);
    const deliveries = await deliveriesOf(client, some, subscriptions, deps);
    await insertDeliveries(client, deliveries);
    for (const { destinationId, nextAt, event } of deliveries)
      wake(destinationId, nextAt, isAlarmEvent(event.type));
  }
  const now = new Date(deps.clock.now());
  for (const [workspaceId, submissionIds] of enrichedIn(events, subscriptions))
    for (const id of await sendEnriched(client, workspaceId, submissionIds, now)) wake(id, now);
  return wakes;
}

type Happened = Omit<LeadEvent, 'event'> & { readonly event: Omit<NewEvent, 'number'> };

/** In the order in which it happened, and a lead is accepted before anything else happens to it. */
function happened(notes: readonly Note[], leads: readonly NotedLead[]): Happened[] {
  const leadOf = new Map(leads.map((lead) => [keyOf(lead), lead]));
  return notedIn(notes)
    .flatMap(({ note, workspaceId, submissionId }: Noted): Happened[] => {
      if (note.type === 'enrich') return [];
      // A lead that is there after its erasure was sent again since.
      const isNone = submissionId === null || note.type === 'lead.erased';
      const lead = isNone ? null : (leadOf.get(keyOf({ workspaceId, submissionId })) ?? null);
      // Of a lead that was erased since, only the erasure is told.
      if (lead === null && isAboutStoredLead(note.type)) return [];
      const at = note.at ?? (lead as NotedLead).receivedAt;
      return [{ event: { workspaceId, type: note.type, at, submissionId, data: note.data }, lead }];
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.event.at.getTime() - b.event.at.getTime());
}

function isAboutStoredLead(type: EventType): boolean {
  return type.startsWith('lead.') && type !== 'lead.erased';
}

function rankOf({ event }: Happened): number {
  return event.type === 'lead.accepted' ? 0 : 1;
}

async function numbered(client: pg.PoolClient, happened: readonly Happened[]): Promise<LeadEvent[]> {
  if (happened.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { event } of happened) counts.set(event.workspaceId, (counts.get(event.workspaceId) ?? 0) + 1);
  const next = await reserveNumbers(client, counts);
  return happened.map(({ event, lead }) => {
    const number = next.get(event.workspaceId) as number;
    next.set(event.workspaceId, number + 1);
    return { event: { ...event, number }, lead };
  });
}

async function deliveriesOf(
  client: pg.PoolClient,
  events: readonly LeadEvent[],
  subscriptions: readonly Subscription[],
  { clock, randomness }: EventDeps,
): Promise<NewDelivery[]> {
  const byWorkspace = Map.groupBy(subscriptions, ({ workspaceId }) => workspaceId);
  const candidates = events
    .filter(({ lead }) => lead?.isKeptBack !== true)
    .flatMap(({ event, lead }): Candidate[] =>
      (byWorkspace.get(event.workspaceId) ?? []).map((subscription) => ({ event, lead, subscription })),
    );
  const createdAt = new Date(clock.now());
  return (await matching(client, candidates, clock)).map(({ event, lead, subscription }) => ({
    id: deliveryId(createdAt, randomness.uuid()),
    destinationId: subscription.id,
    event,
    nextAt: firstAttemptAt(event, lead, subscription, createdAt),
    createdAt,
  }));
}

/** Only clean leads are enriched. */
function firstAttemptAt(
  { type }: NewEvent,
  lead: NotedLead | null,
  { sendWhen, waitMaxSeconds }: Subscription,
  now: Date,
): Date {
  const isWaiting =
    sendWhen === 'enriched' &&
    (type === 'lead.accepted' || type === 'lead.released') &&
    lead?.verdict === 'clean' &&
    !lead.isEnriched;
  return isWaiting ? new Date(now.getTime() + waitMaxSeconds * secondMs) : now;
}

/** The leads whose deliveries may have waited for this, by workspace. */
function enrichedIn(
  events: readonly LeadEvent[],
  subscriptions: readonly Subscription[],
): Map<string, string[]> {
  const waiting = new Set(
    subscriptions.filter(({ sendWhen }) => sendWhen === 'enriched').map(({ workspaceId }) => workspaceId),
  );
  const enriched = new Map<string, string[]>();
  for (const { event } of events) {
    const { workspaceId, submissionId, type } = event;
    if (type !== 'lead.enriched' || submissionId === null || !waiting.has(workspaceId)) continue;
    enriched.set(workspaceId, [...(enriched.get(workspaceId) ?? []), submissionId]);
  }
  return enriched;
}
