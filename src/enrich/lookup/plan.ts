import type { StoredResult } from '../../db/enrichment/enrichment-results.ts';
import type { ProviderReport } from '../../domain/enrichment/view.ts';
import { type NetworkMode, phasesAllowed, type SkipReason } from '../../domain/enrichment/vocabulary.ts';
import type { Verdict } from '../../domain/score/score.ts';
import { externalDescription } from '../providers/external/external.ts';
import { mx } from '../providers/mail/mx.ts';
import type { LookupProvider } from '../providers/provider.ts';
import { site } from '../providers/site/site.ts';
import type { Input } from '../reading/input.ts';

/** Those that are the same for every workspace. The external one is made from each owner's settings. */
export const publicProviders: readonly LookupProvider[] = [mx, site];

/** Whoever may be asked about a lead, by id: the owners' own providers share one. */
export const lookupProviderIds: readonly string[] = [...publicProviders, externalDescription].map(
  ({ id }) => id,
);

/** One provider and one lead: why it is not asked, or what it said so far. */
export interface PlannedLookup {
  readonly id: string;
  readonly phase: LookupProvider['phase'];
  readonly provider: LookupProvider | null;
  readonly skip: SkipReason | null;
  readonly result: StoredResult | null;
}

export interface PlanContext {
  readonly network: NetworkMode;
  /** The provider of the lead's owner. */
  readonly external: LookupProvider | null;
  readonly verdict: Verdict;
  readonly results: readonly StoredResult[];
}

/** Who is to be asked about a lead. What somebody has said stays said, also when the network is switched off later. */
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
    // An answer to a question that would not be asked any more is about somebody else.
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

/** A lead that has become suspect or spam keeps what was found; nobody is asked about it any more. */
function policyOf(verdict: Verdict): SkipReason | null {
  return verdict === 'clean' ? null : 'policy';
}

/** True when nobody has asked yet, or a version that is no more. A result of `retry` has its own job under way. */
export function isUnasked({ skip, provider, result }: PlannedLookup): boolean {
  return skip === null && (result === null || result.version !== provider?.version);
}

/** True when a job that is about this provider has something to do; false when it runs for the second time. */
export function isToBeAsked(planned: PlannedLookup): boolean {
  return isUnasked(planned) || (planned.skip === null && isUnsettled(planned.result));
}

/** It asked for another try, or was not asked because the questions of the day were used up. */
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
