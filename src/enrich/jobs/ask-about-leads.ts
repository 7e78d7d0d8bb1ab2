import { addLookupJobs } from '../../db/enrichment/enrichment-jobs.ts';
import { type StoredResult, storeResults } from '../../db/enrichment/enrichment-results.ts';
import { lockEnrichments, readLeadsToEnrich } from '../../db/enrichment/lead-enrichments.ts';
import type { LeadRef } from '../../db/leads/lead-ref.ts';
import { inTransaction } from '../../db/pool.ts';
import { phases } from '../../domain/enrichment/vocabulary.ts';
import type { Answers } from '../lookup/answers.ts';
import { attemptsMax } from '../lookup/backoff.ts';
import { isToBeAsked, type PlannedLookup } from '../lookup/plan.ts';
import { mx } from '../providers/mail/mx.ts';
import type { LookupProvider } from '../providers/provider.ts';
import { type EnrichLeadsDeps, externalsOf } from './enrich-leads.ts';
import { type LeadResult, nextJobs, retryJobs } from './follow-up-jobs.ts';
import { type ReadLead, readLeads, viewOf } from './lead-view.ts';
import { learnFromMx, reviewLeads } from './second-look.ts';
import { storeViews } from './store-views.ts';

export interface AskAboutLeadsDeps extends EnrichLeadsDeps {
  readonly answers: Answers;
  /** Called for each lead with the provider's id and result. */
  readonly onLookup: (provider: string, outcome: string) => void;
}

/**
 * Asks providers about leads, phase by phase, and adds the results to the leads' views: the result of one phase may make
 * the next unnecessary. Providers that request a retry get a later job; the other results do not wait for it. No locks
 * are held during a lookup.
 */
export async function askAboutLeads(
  refs: readonly LeadRef[],
  providers: readonly string[],
  deps: AskAboutLeadsDeps,
  stopping: AbortSignal,
): Promise<void> {
  let leads = await inTransaction(deps.pool, (client) => readAll(client, refs, deps));
  for (const phase of phases) {
    const asked = leads.flatMap((one) =>
      one.lookups
        .filter(
          (planned) => planned.phase === phase && providers.includes(planned.id) && isToBeAsked(planned),
        )
        .map((planned) => ask(one, planned, deps, stopping)),
    );
    const results = await Promise.all(asked);
    if (results.length === 0) {
      if (phase === 'dns' && providers.includes('mx')) await addMissedJobs(leads, deps);
      continue;
    }
    const changed = new Map((await storeAll(results, deps)).map((one) => [one.lead.submissionId, one]));
    leads = leads.map((one) => changed.get(one.lead.submissionId) ?? one);
  }
}

/**
 * On a cluster, results may be stored without the jobs that follow from them: see Enrichment. The job then runs again, and
 * finds the results. What follows may thus be asked twice, which changes nothing.
 */
async function addMissedJobs(leads: readonly ReadLead[], deps: AskAboutLeadsDeps): Promise<void> {
  const hasMx = ({ lookups }: ReadLead) => lookups.some(({ id, result }) => id === 'mx' && result !== null);
  const jobs = nextJobs(leads.filter(hasMx));
  if (jobs.length > 0) await inTransaction(deps.pool, (client) => addLookupJobs(client, jobs));
}

async function readAll(
  client: Parameters<typeof externalsOf>[0],
  refs: readonly LeadRef[],
  deps: AskAboutLeadsDeps,
): Promise<ReadLead[]> {
  const leads = await readLeadsToEnrich(client, refs);
  const externals = await externalsOf(client, leads, deps);
  return (await readLeads(leads, externals, deps)).filter((one) => one !== null);
}

async function ask(
  { lead, input }: ReadLead,
  planned: PlannedLookup,
  deps: AskAboutLeadsDeps,
  stopping: AbortSignal,
): Promise<LeadResult> {
  const provider = planned.provider as LookupProvider;
  const startedAt = deps.clock.monotonic();
  const { result: said, cached } = await deps.answers.get(provider, input, lead.workspaceId, stopping);
  if (provider.id === mx.id && !cached) await learnFromMx(input, said, deps);
  const before = planned.result?.version === provider.version ? planned.result.attempts : 0;
  const attempts = before + 1;
  const isRetried = said.kind === 'retry' && attempts < attemptsMax;
  deps.onLookup(provider.id, said.kind);
  const result: StoredResult = {
    provider: provider.id,
    version: provider.version,
    outcome: said.kind === 'retry' && !isRetried ? 'fail' : said.kind,
    why: 'why' in said ? said.why : null,
    fields: said.kind === 'found' ? said.fields : [],
    attempts,
    durationMs: Math.round(deps.clock.monotonic() - startedAt),
    cached,
    observedAt: new Date(deps.clock.now()).toISOString(),
  };
  const key = provider.cacheKey(input) ?? lead.workspaceId;
  const afterMs = said.kind === 'retry' ? said.afterMs : undefined;
  return { ref: lead, result, retry: isRetried ? { key, afterMs } : null };
}

/**
 * Locks the rows of the leads first, then their views, in the same order as marking and erasing do. Returns the current
 * leads.
 */
async function storeAll(results: readonly LeadResult[], deps: AskAboutLeadsDeps): Promise<ReadLead[]> {
  const refs = [...new Map(results.map(({ ref }) => [ref.submissionId, ref])).values()];
  return inTransaction(deps.pool, async (client) => {
    await storeResults(
      client,
      results.map(({ ref: { shard, workspaceId, submissionId }, result }) => ({
        shard,
        workspaceId,
        submissionId,
        ...result,
      })),
    );
    await reviewLeads(client, refs, deps.clock);
    const enriched = await lockEnrichments(client, refs);
    // Read again: another job may have changed the same leads during the lookup.
    const read = await readAll(client, refs, deps);
    const views = read.map((one) => {
      const { shard, workspaceId, submissionId } = one.lead;
      return { shard, workspaceId, submissionId, data: viewOf(one, deps) };
    });
    await storeViews(client, views, { enriched, clock: deps.clock });
    const isFirstWord = results.some(({ result }) => result.provider === 'mx' && result.attempts === 1);
    await addLookupJobs(client, [...retryJobs(results), ...(isFirstWord ? nextJobs(read) : [])]);
    return read;
  });
}
