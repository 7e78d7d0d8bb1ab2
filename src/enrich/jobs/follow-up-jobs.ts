import type { LookupJob } from '../../db/enrichment/enrichment-jobs.ts';
import type { StoredResult } from '../../db/enrichment/enrichment-results.ts';
import type { LeadRef } from '../../db/leads/lead-ref.ts';
import { retryDelayMs } from '../lookup/backoff.ts';
import { isToBeAsked, isUnasked, type PlannedLookup, publicProviders } from '../lookup/plan.ts';
import { externalDescription } from '../providers/external/external.ts';
import type { ReadLead } from './lead-view.ts';

export interface LeadResult {
  readonly ref: LeadRef;
  readonly result: StoredResult;
  /** Leads with the same key are retried together: a delay requested by one host does not affect another. */
  readonly retry: { readonly key: string; readonly afterMs: number | undefined } | null;
}

const leadsPerJobMax = 10;
const publicProviderIds = publicProviders.map(({ id }) => id);

/**
 * For leads that were just enriched from their own data. Public lookups run in parallel. The external provider waits for
 * DNS, because its result may end the enrichment.
 */
export function firstJobs(read: readonly ReadLead[]): LookupJob[] {
  const hasPublic = ({ lookups }: ReadLead) => lookups.some((one) => !isExternal(one) && isToBeAsked(one));
  return [
    ...jobsFor(read.filter(hasPublic), publicProviderIds, null),
    ...externalJobs(read.filter(({ lookups }) => lookups.some((one) => isExternal(one) && isToBeAsked(one)))),
  ];
}

/** For leads whose DNS lookup is done: the external provider is next. */
export function nextJobs(read: readonly ReadLead[]): LookupJob[] {
  return externalJobs(read.filter(({ lookups }) => lookups.some((one) => isExternal(one) && isUnasked(one))));
}

/** Each external provider has its own queue, so that a slow one delays only its workspace. */
function externalJobs(read: readonly ReadLead[]): LookupJob[] {
  const ready = read.filter(({ lookups }) => !lookups.some((one) => one.phase === 'dns' && isUnasked(one)));
  const byWorkspace = Map.groupBy(ready, ({ lead }) => lead.workspaceId);
  return [...byWorkspace].flatMap(([workspaceId, ones]) =>
    jobsFor(ones, [externalDescription.id], externalQueue(workspaceId)),
  );
}

function isExternal({ phase }: PlannedLookup): boolean {
  return phase === 'external';
}

function externalQueue(workspaceId: string): string {
  return `external:${workspaceId}`;
}

function jobsFor(read: readonly ReadLead[], providers: string[], queue: string | null): LookupJob[] {
  const jobs: LookupJob[] = [];
  for (let start = 0; start < read.length; start += leadsPerJobMax) {
    const leads = read.slice(start, start + leadsPerJobMax).map(({ lead }) => refTuple(lead));
    jobs.push({ queue, payload: { leads, providers }, delayMs: 0 });
  }
  return jobs;
}

export function retryJobs(results: readonly LeadResult[]): LookupJob[] {
  const groups = Map.groupBy(
    results.filter(({ retry }) => retry !== null),
    ({ ref, result, retry }) => {
      const scope = result.provider === externalDescription.id ? ref.workspaceId : '';
      return `${result.provider} ${scope} ${result.attempts} ${retry?.key}`;
    },
  );
  return [...groups.values()].map((group) => {
    const { provider, attempts } = (group[0] as LeadResult).result;
    const { workspaceId } = (group[0] as LeadResult).ref;
    const afterMs = Math.max(0, ...group.map(({ retry }) => retry?.afterMs ?? 0));
    return {
      queue: provider === externalDescription.id ? externalQueue(workspaceId) : null,
      payload: { leads: group.map(({ ref }) => refTuple(ref)), providers: [provider] },
      delayMs: retryDelayMs(attempts, afterMs),
    };
  });
}

/** The same job again, later. */
export function postponedLookup(
  leads: readonly LeadRef[],
  providers: readonly string[],
  delayMs: number,
): LookupJob {
  const [first] = leads as [LeadRef, ...LeadRef[]];
  const isOfOwner = providers.includes(externalDescription.id);
  return {
    queue: isOfOwner ? externalQueue(first.workspaceId) : null,
    payload: { leads: leads.map(refTuple), providers },
    delayMs,
  };
}

function refTuple({ shard, workspaceId, submissionId }: LeadRef): [number, string, string] {
  return [shard, workspaceId, submissionId];
}
