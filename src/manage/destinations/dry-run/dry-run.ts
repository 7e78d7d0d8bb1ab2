import { dryRunExamples, dryRunLeads } from '../../../contract/destinations/destination.ts';
import type { DryRun, DryRunRequest } from '../../../contract/destinations/destinations.ts';
import * as contract from '../../../contract/destinations/destinations.ts';
import type { DestinationSettings } from '../../../db/deliver/destinations.ts';
import { findDestination } from '../../../db/deliver/destinations.ts';
import { listNewestLeads, readLeadFacts } from '../../../db/deliver/lead-facts.ts';
import { destinationDefaults } from '../../../domain/destination/destination.ts';
import { notFound } from '../../calls/problem.ts';
import { route } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';
import { requireForms, requireMapping } from '../destination-checks.ts';

type Draft = Pick<DestinationSettings, 'formIds' | 'filter' | 'mapping' | 'format'>;

const newDraft: Draft = {
  formIds: null,
  filter: destinationDefaults.filter,
  mapping: [],
  format: destinationDefaults.format,
};
// At most 128 KB each.
const leadsPerPage = 50;

export const destinationDryRunRoutes = [
  route(contract.dryRunNewDestination, ({ params, body, ended }, deps) =>
    dryRun(deps, params.workspace_id, draftOf(newDraft, body), ended),
  ),
  route(contract.dryRunDestination, async ({ params, body, ended }, deps) => {
    const { workspace_id, destination_id } = params;
    const saved = await findDestination(deps.pool, workspace_id, destination_id);
    if (saved === null) throw notFound('destination');
    return dryRun(deps, workspace_id, draftOf(saved, body), ended);
  }),
];

function draftOf(saved: Draft, { form_ids, filter, mapping, format }: DryRunRequest): Draft {
  return {
    formIds: form_ids === undefined ? saved.formIds : form_ids,
    filter: filter ?? saved.filter,
    mapping: mapping ?? saved.mapping,
    format: format ?? saved.format,
  };
}

/** Leads are read in another thread: a hostile lead takes as long as thousands of normal ones. */
async function dryRun(
  { pool, publicUrl, destinationDryRuns }: ManagementDeps,
  workspaceId: string,
  { formIds, filter, mapping, format }: Draft,
  ended: AbortSignal | undefined,
): Promise<DryRun> {
  requireMapping({ format, mapping });
  await requireForms(pool, workspaceId, formIds);
  const newest = await listNewestLeads(pool, workspaceId, dryRunLeads);
  const examples: DryRun['examples'] = [];
  let matching = 0;
  for (let start = 0; start < newest.length && ended?.aborted !== true; start += leadsPerPage) {
    const leads = await readLeadFacts(pool, newest.slice(start, start + leadsPerPage));
    const byId = new Map(leads.map((lead) => [lead.submissionId, lead]));
    const found = await destinationDryRuns.ask({
      // In the order of the list: the newest first.
      leads: newest.flatMap(({ submissionId }) => byId.get(submissionId) ?? []),
      formIds,
      filter,
      format,
      mapping,
      publicUrl: publicUrl(),
      examplesMax: dryRunExamples - examples.length,
    });
    matching += found.matching;
    examples.push(...found.examples.map(({ submissionId, body }) => ({ submission_id: submissionId, body })));
  }
  return { checked: newest.length, matching, examples };
}
