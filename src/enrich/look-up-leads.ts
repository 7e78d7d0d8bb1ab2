import { performance } from 'node:perf_hooks';
import { addLookupJobs, type LookupJob } from '../db/enrichment-jobs.ts';
import { type ProviderResult, storeResults } from '../db/enrichment-results.ts';
import {
  type LeadRef,
  lockEnrichments,
  readLeadsToEnrich,
  storeEnrichments,
} from '../db/lead-enrichments.ts';
import { inTransaction } from '../db/pool.ts';
import type { Answers } from './answers.ts';
import { attemptsMax, retryDelayMs } from './backoff.ts';
import { type EnrichLeadsDeps, externalQueue, externalsOf, refTuple } from './enrich-leads.ts';
import { type ReadLead, readLead, viewOf } from './lead-view.ts';
import { isToBeAsked, type PlannedLookup } from './plan.ts';
import type { LookupProvider } from './provider.ts';

export interface LookUpDeps extends EnrichLeadsDeps {
  readonly answers: Answers;
  /** Called for each lead with the provider's id and what came of it. */
  readonly onLookup: (provider: string, outcome: string) => void;
}

interface LookupResult {
  readonly ref: LeadRef;
  readonly result: ProviderResult;
  /** Leads with one key are retried together: what one host asks for does not delay another. */
  readonly retry: { readonly key: string; readonly afterMs: number | undefined } | null;
}

/**
 * Asks providers about leads, and adds what they say to the leads' views. Those that ask for another try get a job of
 * their own later; the others' results do not wait for it. Nothing is locked while somebody is asked.
 */
export async function lookUpLeads(
  refs: readonly LeadRef[],
  providers: readonly string[],
  deps: LookUpDeps,
  stopping: AbortSignal,
): Promise<void> {
  const leads = await inTransaction(deps.pool, (client) => readAll(client, refs, deps));
  const asked = leads.flatMap((one) =>
    one.lookups
      .filter((planned) => providers.includes(planned.id) && isToBeAsked(planned))
      .map((planned) => ask(one, planned, deps, stopping)),
  );
  const results = await Promise.all(asked);
  if (results.length > 0) await storeAll(results, deps);
}

async function readAll(
  client: Parameters<typeof externalsOf>[0],
  refs: readonly LeadRef[],
  deps: LookUpDeps,
): Promise<ReadLead[]> {
  const leads = await readLeadsToEnrich(client, refs);
  const externals = await externalsOf(client, leads, deps);
  return leads
    .map((lead) => readLead(lead, externals.get(lead.workspaceId) ?? null, deps))
    .filter((one) => one !== null);
}

async function ask(
  { lead, input }: ReadLead,
  planned: PlannedLookup,
  deps: LookUpDeps,
  stopping: AbortSignal,
): Promise<LookupResult> {
  const provider = planned.provider as LookupProvider;
  const startedAt = performance.now();
  const { outcome, cached } = await deps.answers.get(provider, input, lead.workspaceId, stopping);
  const before = planned.result?.version === provider.version ? planned.result.attempts : 0;
  const attempts = before + 1;
  const isRetried = outcome.kind === 'retry' && attempts < attemptsMax;
  deps.onLookup(provider.id, outcome.kind);
  const result: ProviderResult = {
    provider: provider.id,
    version: provider.version,
    outcome: outcome.kind === 'retry' && !isRetried ? 'fail' : outcome.kind,
    why: 'why' in outcome ? outcome.why : null,
    fields: outcome.kind === 'found' ? outcome.fields : [],
    attempts,
    durationMs: Math.round(performance.now() - startedAt),
    cached,
    observedAt: new Date(deps.clock.now()).toISOString(),
  };
  const key = provider.cacheKey(input) ?? lead.workspaceId;
  const afterMs = outcome.kind === 'retry' ? outcome.afterMs : undefined;
  return { ref: lead, result, retry: isRetried ? { key, afterMs } : null };
}

async function storeAll(results: readonly LookupResult[], deps: LookUpDeps): Promise<void> {
  const refs = [...new Map(results.map(({ ref }) => [ref.submissionId, ref])).values()];
  await inTransaction(deps.pool, async (client) => {
    await lockEnrichments(client, refs);
    await storeResults(
      client,
      results.map(({ ref: { shard, workspaceId, submissionId }, result }) => ({
        shard,
        workspaceId,
        submissionId,
        ...result,
      })),
    );
    // Read again: another job may have added to the same leads while this one was asking.
    const views = (await readAll(client, refs, deps)).map((one) => {
      const { shard, workspaceId, submissionId } = one.lead;
      return { shard, workspaceId, submissionId, data: viewOf(one, deps) };
    });
    await storeEnrichments(client, views, new Date(deps.clock.now()));
    await addLookupJobs(client, retryJobs(results));
  });
}

function retryJobs(results: readonly LookupResult[]): LookupJob[] {
  const groups = Map.groupBy(
    results.filter(({ retry }) => retry !== null),
    ({ ref, result, retry }) => {
      const scope = result.provider === 'external' ? ref.workspaceId : '';
      return `${result.provider} ${scope} ${result.attempts} ${retry?.key}`;
    },
  );
  return [...groups.values()].map((group) => {
    const { provider, attempts } = (group[0] as LookupResult).result;
    const { workspaceId } = (group[0] as LookupResult).ref;
    const afterMs = Math.max(0, ...group.map(({ retry }) => retry?.afterMs ?? 0));
    return {
      queue: provider === 'external' ? externalQueue(workspaceId) : null,
      payload: { leads: group.map(({ ref }) => refTuple(ref)), providers: [provider] },
      delayMs: retryDelayMs(attempts, afterMs),
    };
  });
}
