import type pg from 'pg';
import { readFormFacts, readLeadFacts } from '../db/deliver/lead-facts.ts';
import type { Subscription } from '../db/deliver/subscriptions.ts';
import { byShard } from '../db/leads/lead-ref.ts';
import type { NewEvent } from '../db/relay/lead-events.ts';
import type { NotedLead } from '../db/relay/noted-leads.ts';
import { alarmDataFor, isAlarmEvent } from '../domain/destination/alarm/alarm-event.ts';
import type { EventType } from '../domain/destination/destination.ts';
import { type Filter, mayMatch } from '../domain/destination/filter.ts';
import type { FormFacts, LeadFacts } from '../domain/destination/lead-facts.ts';
import type { Clock } from '../time/clock.ts';
import { Turns } from '../time/turns.ts';
import { keyOf } from './noted.ts';

/** An event that a destination of its workspace may want. */
export interface Candidate {
  readonly event: NewEvent;
  readonly lead: NotedLead | null;
  readonly subscription: Subscription;
}

// The fields of a lead may have 128 KB.
const leadsReadAtOnce = 100;

/**
 * Those that the destinations want, with what each gets of an event. Whether a lead still matches when it is sent is checked
 * again then. Yields to other work after each filter that took long: a workspace decides how many filters its leads meet, and
 * others share this thread.
 */
export async function matching(
  client: pg.PoolClient,
  candidates: readonly Candidate[],
  clock: Clock,
): Promise<Candidate[]> {
  const turns = new Turns(clock);
  const wanted = new Set<Candidate>();
  const check = async (one: Candidate, facts: LeadFacts) => {
    if (mayMatch(one.subscription.filter, facts)) wanted.add(one);
    await turns.take();
  };
  const subscribed = candidates.filter(isSubscribed).flatMap(withOwnData);
  const forms = await readFormFacts(client, [
    ...new Set(subscribed.flatMap(({ lead }) => lead?.formId ?? [])),
  ]);
  const rest = new Map<NotedLead, Candidate[]>();
  for (const [lead, ofLead] of Map.groupBy(subscribed, (one) => one.lead)) {
    if (lead === null) {
      for (const one of ofLead) wanted.add(one);
      continue;
    }
    const facts = plainFacts(lead, forms);
    const others = [];
    for (const one of ofLead) {
      if (readsFields(one.subscription.filter)) others.push(one);
      else await check(one, facts);
    }
    if (others.length > 0) rest.set(lead, others);
  }
  const byKey = new Map([...rest].map(([lead, ofLead]) => [keyOf(lead), ofLead]));
  for (const together of byShard([...rest.keys()]))
    for (let start = 0; start < together.length; start += leadsReadAtOnce)
      for (const facts of await readLeadFacts(client, together.slice(start, start + leadsReadAtOnce)))
        for (const one of byKey.get(keyOf(facts)) ?? []) await check(one, facts);
  return subscribed.filter((one) => wanted.has(one));
}

function isSubscribed({ event, lead, subscription: { id, events, formIds } }: Candidate): boolean {
  // A destination is not told that it was disabled itself: it would not get it.
  if (event.type === 'destination.disabled' && event.data?.id === id) return false;
  const formId = lead?.formId ?? event.data?.form_id;
  const isOfForm = formIds === null || event.submissionId === null || formIds.includes(String(formId));
  return isOfForm && (events as readonly EventType[]).includes(event.type);
}

/** A digest of alarms may be about several forms, and a destination about some of them. */
function withOwnData(candidate: Candidate): Candidate[] {
  const { event, subscription } = candidate;
  if (!isAlarmEvent(event.type)) return [candidate];
  const data = alarmDataFor(event.data, subscription);
  return data === null ? [] : [{ ...candidate, event: { ...event, data } }];
}

/** True if the filter asks for more than `plainFacts` knows. */
function readsFields({ all, any }: Filter): boolean {
  return (all ?? any ?? []).some(({ field }) => field.includes('.'));
}

function plainFacts(lead: NotedLead, forms: ReadonlyMap<string, FormFacts>): LeadFacts {
  const { shard: _, ...rest } = lead;
  return {
    ...rest,
    form: forms.get(lead.formId) ?? null,
    fields: '{}',
    enrichment: null,
    reasons: '[]',
    isTest: false,
  };
}
