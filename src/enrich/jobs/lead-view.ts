import type { Logger } from 'pino';
import type { StoredResult } from '../../db/enrichment/enrichment-results.ts';
import type { LeadToEnrich } from '../../db/enrichment/lead-enrichments.ts';
import type { EnrichmentView } from '../../domain/enrichment/view.ts';
import type { NetworkMode } from '../../domain/enrichment/vocabulary.ts';
import type { Clock } from '../../time/clock.ts';
import { type PlannedLookup, planLookups, reportOf } from '../lookup/plan.ts';
import { runBuiltin } from '../providers/builtin/builtin.ts';
import type { FieldValue, LookupProvider, Said } from '../providers/provider.ts';
import { type Input, readInput } from '../reading/input.ts';
import { mergeSaid } from './merge.ts';

export interface ViewDeps {
  readonly clock: Clock;
  readonly network: NetworkMode;
  readonly log: Logger;
}

/** A lead read once, with the providers to ask about it. */
export interface ReadLead {
  readonly lead: LeadToEnrich;
  readonly input: Input;
  readonly lookups: readonly PlannedLookup[];
}

/** Null if our own code cannot read the lead: it must not hold up its batch. */
function readLead(
  lead: LeadToEnrich,
  external: LookupProvider | null,
  { network, log }: ViewDeps,
): ReadLead | null {
  try {
    const input = readInput(lead.fields);
    const { verdict, results } = lead;
    return { lead, input, lookups: planLookups(input, { network, external, verdict, results }) };
  } catch (error) {
    log.error({ err: error, submission_id: lead.submissionId }, 'lead could not be read for enrichment');
    return null;
  }
}

const turnMs = 2;

/** One after the other, yielding to the event loop in between: a hundred leads may take a while. */
export async function readLeads(
  leads: readonly LeadToEnrich[],
  externals: ReadonlyMap<string, LookupProvider>,
  deps: ViewDeps,
): Promise<(ReadLead | null)[]> {
  const read: (ReadLead | null)[] = [];
  let turnEndsAt = deps.clock.monotonic() + turnMs;
  for (const lead of leads) {
    read.push(readLead(lead, externals.get(lead.workspaceId) ?? null, deps));
    if (deps.clock.monotonic() < turnEndsAt) continue;
    await deps.clock.turn();
    turnEndsAt = deps.clock.monotonic() + turnMs;
  }
  return read;
}

export const failedView: EnrichmentView = { schema: 1, status: 'failed', provenance: {}, providers: [] };

/** Everything known about a lead: from its own data, and from the providers so far. */
export function viewOf({ lead, input, lookups }: ReadLead, { log }: ViewDeps): EnrichmentView {
  const { said, reports } = runBuiltin(input, (provider, error) =>
    log.error(
      { err: error, provider, submission_id: lead.submissionId },
      'enrichment provider threw an error',
    ),
  );
  const looked = lookups.flatMap(({ result }) => (result === null ? [] : saidIn(result)));
  return mergeSaid([...said, ...looked], [...reports, ...lookups.map(reportOf)]);
}

function saidIn({ provider, fields, observedAt }: StoredResult): Said[] {
  return (fields as FieldValue[]).map((field) => ({
    ...field,
    provider,
    observedAt: new Date(observedAt).toISOString(),
  }));
}
