import type pg from 'pg';
import { storeEnrichments } from '../../db/enrichment/lead-enrichments.ts';
import type { LeadRef } from '../../db/leads/lead-ref.ts';
import { noteLeads } from '../../db/relay/outbox.ts';
import type { EnrichmentView } from '../../domain/enrichment/view.ts';
import type { Clock } from '../../time/clock.ts';

interface StoreViewsDeps {
  /** The leads that nothing more was expected for. */
  readonly enriched: readonly LeadRef[];
  readonly clock: Clock;
}

/** Stores views, and notes the leads that are enriched now: no provider has yet to respond. */
export async function storeViews(
  client: pg.PoolClient,
  views: readonly (LeadRef & { readonly data: EnrichmentView })[],
  { enriched, clock }: StoreViewsDeps,
): Promise<void> {
  const at = new Date(clock.now());
  await storeEnrichments(client, views, at);
  const before = new Set(enriched.map(({ submissionId }) => submissionId));
  const now = views.filter(({ data, submissionId }) => isSettled(data) && !before.has(submissionId));
  await noteLeads(client, now, { type: 'lead.enriched', at });
}

function isSettled({ providers }: EnrichmentView): boolean {
  return !providers.some(({ outcome }) => outcome === 'pending' || outcome === 'retry');
}
