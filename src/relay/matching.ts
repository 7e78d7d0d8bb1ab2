import type pg from 'pg';
import { readFormFacts, readLeadFacts } from '../db/deliver/lead-facts.ts';
import type { Subscription } from '../db/deliver/subscriptions.ts';
import { byShard } from '../db/leads/lead-ref.ts';
import type { NewEvent } from '../db/relay/lead-events.ts';
import type { NotedLead } from '../db/relay/noted-leads.ts';
import type { EventType } from '../domain/destination/destination.ts';
import { type Filter, mayMatch } from '../domain/destination/filter.ts';
import type { FormFacts, LeadFacts } from '../domain/destination/lead-facts.ts';
import { keyOf } from './noted.ts';

/** An event that a destination of its workspace may want. */
export interface Candidate {
  readonly event: NewEvent;
  readonly lead: NotedLead | null;
  readonly subscription: Subscription;
}

// The fields of a lead may have 128 KB.
const leadsReadAtOnce = 100;

/** Those that the destinations want. Whether a lead still matches when it is sent is checked again then. */
export async function matching(
  client: pg.PoolClient,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const subscribed = candidates.filter(isSubscribed);
  const forms = await readFormFacts(client, [
    ...new Set(subscribed.flatMap(({ lead }) => lead?.formId ?? [])),
  ]);
  const isPlain = ({ lead, subscription }: Candidate) => lead === null || !readsFields(subscription.filter);
  const wanted = new Set(
    subscribed
      .filter(isPlain)
      .filter(
        ({ lead, subscription }) => lead === null || mayMatch(subscription.filter, plainFacts(lead, forms)),
      ),
  );
  const rest = Map.groupBy(
    subscribed.filter((one) => !isPlain(one)),
    ({ lead }) => keyOf(lead as NotedLead),
  );
  const leads = [...rest.values()].map(([first]) => first?.lead as NotedLead);
  for (const together of byShard(leads))
    for (let start = 0; start < together.length; start += leadsReadAtOnce)
      for (const facts of await readLeadFacts(client, together.slice(start, start + leadsReadAtOnce)))
        for (const one of rest.get(keyOf(facts)) ?? [])
          if (mayMatch(one.subscription.filter, facts)) wanted.add(one);
  return subscribed.filter((one) => wanted.has(one));
}

function isSubscribed({ event, lead, subscription: { id, events, formIds } }: Candidate): boolean {
  // A destination is not told that it was disabled itself: it would not get it.
  if (event.type === 'destination.disabled' && event.data?.id === id) return false;
  const formId = lead?.formId ?? event.data?.form_id;
  const isOfForm = formIds === null || event.submissionId === null || formIds.includes(String(formId));
  return isOfForm && (events as readonly EventType[]).includes(event.type);
}

/** True if the filter asks for more than `plainFacts` knows. */
function readsFields({ all, any }: Filter): boolean {
  return (all ?? any ?? []).some(({ field }) => field.includes('.'));
}

function plainFacts(lead: NotedLead, forms: ReadonlyMap<string, FormFacts>): LeadFacts {
  const { formId, shard: _, ...rest } = lead;
  return {
    ...rest,
    form: forms.get(formId) ?? null,
    fields: '{}',
    enrichment: null,
    reasons: '[]',
    isTest: false,
  };
}
