import type { StoredResult } from '../../db/enrichment/enrichment-results.ts';
import type { ProviderReport } from '../../domain/enrichment/view.ts';
import { type NetworkMode, phasesAllowed, type SkipReason } from '../../domain/enrichment/vocabulary.ts';
import type { Verdict } from '../../domain/score/score.ts';
import { externalDescription } from '../providers/external/external.ts';
import { mx } from '../providers/mail/mx.ts';
import type { LookupProvider } from '../providers/provider.ts';
import { site } from '../providers/site/site.ts';
import type { Input } from '../reading/input.ts';

/** Providers that all workspaces share. The external one is built from each owner's settings. */
export const publicProviders: readonly LookupProvider[] = [mx, site];

/** Every provider that may be asked about a lead, by id; all external providers share one id. */
export const lookupProviderIds: readonly string[] = [...publicProviders, externalDescription].map(
  ({ id }) => id,
);

/** One provider and one lead: why it is not asked, or its result so far. */
export interface PlannedLookup {
  readonly id: string;
  readonly phase: LookupProvider['phase'];
  readonly provider: LookupProvider | null;
  readonly skip: SkipReason | null;
  readonly result: StoredResult | null;
}

export interface PlanContext {
  readonly network: NetworkMode;
  /** The external provider of the lead's workspace. */
  readonly external: LookupProvider | null;
  readonly verdict: Verdict;
  readonly results: readonly StoredResult[];
}

/** Which providers to ask about a lead. Results are kept even if the network is turned off later. */
export function planLookups(
  input: Input,
  { network, external, verdict, results }: PlanContext,
): PlannedLookup[] {
  const slots = [...publicProviders, external ?? externalDescription];
  return slots.map((slot) => {
    const provider = 'ask' in slot ? slot : null;
    const { id, phase } = slot;
    const said = results.find((candidate) => candidate.provider === id) ?? null;
    const skip = skipOf(input, network, phase, provider) ?? policyOf(verdict);
    // The result of a lookup that would no longer be made is about someone else.
    const result = skip === 'free_mail' || skip === 'no_input' ? null : said;
    return { id, phase, provider, result, skip };
  });
}

function skipOf(
  input: Input,
  network: NetworkMode,
  phase: LookupProvider['phase'],
  provider: LookupProvider | null,
): SkipReason | null {
  if (!phasesAllowed[network].includes(phase)) return 'offline';
  return provider === null ? 'disabled' : provider.skip(input);
}

/** A lead that became suspect or spam keeps its results, but nobody is asked about it any more. */
function policyOf(verdict: Verdict): SkipReason | null {
  return verdict === 'clean' ? null : 'policy';
}

/** True if it was not asked yet, or by an outdated version. A result of `retry` has its own job. */
export function isUnasked({ skip, provider, result }: PlannedLookup): boolean {
  return skip === null && (result === null || result.version !== provider?.version);
}

/** True if a job for this provider has something to do; false if it runs a second time. */
export function isToBeAsked(planned: PlannedLookup): boolean {
  return isUnasked(planned) || (planned.skip === null && isUnsettled(planned.result));
}

/** It requested a retry, or was not asked because the daily limit was reached. */
function isUnsettled(result: StoredResult | null): boolean {
  return result?.outcome === 'retry' || result?.outcome === 'skip';
}

export function reportOf(planned: PlannedLookup): ProviderReport {
  const { id, phase, provider, result, skip } = planned;
  const version = result?.version ?? provider?.version ?? null;
  if (isUnasked(planned)) return { id, phase, version: provider?.version ?? null, outcome: 'pending' };
  if (result === null || (skip === 'policy' && isUnsettled(result)))
    return { id, phase, version, outcome: 'skip', why: skip ?? 'offline' };
  const { outcome, why, attempts, durationMs: ms, cached } = result;
  return { id, phase, version, outcome, ...(why === null ? {} : { why }), attempts, ms, cached };
}
