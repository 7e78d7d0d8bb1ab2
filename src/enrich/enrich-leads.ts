import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { addLookupJobs, type LookupJob } from '../db/enrichment-jobs.ts';
import {
  type LeadRef,
  lockEnrichments,
  readLeadsToEnrich,
  storeEnrichments,
} from '../db/lead-enrichments.ts';
import { inTransaction } from '../db/pool.ts';
import { type ExternalDeps, loadExternalProviders } from './external-providers.ts';
import { failedView, type ReadLead, readLead, type ViewDeps, viewOf } from './lead-view.ts';
import { isUnasked } from './plan.ts';
import type { LookupProvider } from './provider.ts';
import { publicProviders } from './providers/lookup.ts';

export interface EnrichLeadsDeps extends ViewDeps, ExternalDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

const leadsPerLookupMax = 10;
const publicProviderIds = publicProviders.map(({ id }) => id);

/**
 * Enriches leads from themselves, and plans the lookups they need. All in one transaction: a lookup never runs
 * before there is a view to add to, and is never forgotten.
 */
export async function enrichLeads(refs: readonly LeadRef[], deps: EnrichLeadsDeps): Promise<void> {
  const { pool, clock } = deps;
  await inTransaction(pool, async (client) => {
    await lockEnrichments(client, refs);
    const leads = await readLeadsToEnrich(client, refs);
    if (leads.length === 0) return;
    const externals = await externalsOf(client, leads, deps);
    const read = leads.map((lead) => readLead(lead, externals.get(lead.workspaceId) ?? null, deps));
    const views = leads.map(({ shard, workspaceId, submissionId }, i) => {
      const one = read[i];
      return { shard, workspaceId, submissionId, data: one == null ? failedView : viewOf(one, deps) };
    });
    await storeEnrichments(client, views, new Date(clock.now()));
    await addLookupJobs(client, lookupJobs(read.filter((one) => one !== null)));
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

/** Public lookups run side by side; an owner's provider is asked in a queue of its own, so that a slow one delays only its owner. */
function lookupJobs(read: readonly ReadLead[]): LookupJob[] {
  const unasked = (one: ReadLead, isExternal: boolean) =>
    one.lookups.filter((planned) => (planned.phase === 'external') === isExternal && isUnasked(planned));
  const publicOnes = read.filter((one) => unasked(one, false).length > 0);
  const externalOnes = Map.groupBy(
    read.filter((one) => unasked(one, true).length > 0),
    ({ lead }) => lead.workspaceId,
  );
  return [
    ...jobsFor(publicOnes, publicProviderIds, null),
    ...[...externalOnes].flatMap(([workspaceId, ones]) =>
      jobsFor(ones, ['external'], externalQueue(workspaceId)),
    ),
  ];
}

export function externalQueue(workspaceId: string): string {
  return `external:${workspaceId}`;
}

function jobsFor(read: readonly ReadLead[], providers: string[], queue: string | null): LookupJob[] {
  const jobs: LookupJob[] = [];
  for (let start = 0; start < read.length; start += leadsPerLookupMax) {
    const leads = read.slice(start, start + leadsPerLookupMax).map(({ lead }) => refTuple(lead));
    jobs.push({ queue, payload: { leads, providers }, delayMs: 0 });
  }
  return jobs;
}

export function refTuple({ shard, workspaceId, submissionId }: LeadRef): [number, string, string] {
  return [shard, workspaceId, submissionId];
}
