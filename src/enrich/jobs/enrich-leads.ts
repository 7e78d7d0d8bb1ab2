import type pg from 'pg';
import { addLookupJobs } from '../../db/enrichment/enrichment-jobs.ts';
import { lockEnrichments, readLeadsToEnrich } from '../../db/enrichment/lead-enrichments.ts';
import type { LeadRef } from '../../db/leads/lead-ref.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Clock } from '../../time/clock.ts';
import { type ExternalDeps, loadExternalProviders } from '../providers/external/load-external.ts';
import type { LookupProvider } from '../providers/provider.ts';
import { firstJobs } from './follow-up-jobs.ts';
import { failedView, readLeads, type ViewDeps, viewOf } from './lead-view.ts';
import { reviewLeads } from './second-look.ts';
import { storeViews } from './store-views.ts';

export interface EnrichLeadsDeps extends ViewDeps, ExternalDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

/**
 * Enriches leads from their own data and plans the lookups they need, in one transaction: a lookup never runs before
 * there is a view to add to, and is never lost.
 */
export async function enrichLeads(refs: readonly LeadRef[], deps: EnrichLeadsDeps): Promise<void> {
  const { pool, clock } = deps;
  await inTransaction(pool, async (client) => {
    // For leads that were already enriched, and marked while their mail server was being looked up.
    await reviewLeads(client, refs, clock);
    const enriched = await lockEnrichments(client, refs);
    const leads = await readLeadsToEnrich(client, refs);
    if (leads.length === 0) return;
    const externals = await externalsOf(client, leads, deps);
    const read = await readLeads(leads, externals, deps);
    const views = leads.map(({ shard, workspaceId, submissionId }, i) => {
      const one = read[i];
      return { shard, workspaceId, submissionId, data: one == null ? failedView : viewOf(one, deps) };
    });
    await storeViews(client, views, { enriched, clock });
    await addLookupJobs(client, firstJobs(read.filter((one) => one !== null)));
  });
}

export async function externalsOf(
  client: pg.PoolClient,
  leads: readonly LeadRef[],
  deps: EnrichLeadsDeps,
): Promise<Map<string, LookupProvider>> {
  if (deps.network !== 'full') return new Map();
  return loadExternalProviders(
    client,
    leads.map(({ workspaceId }) => workspaceId),
    deps,
  );
}
