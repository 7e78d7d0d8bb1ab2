import { dryRunExamples, dryRunLeads } from '../../../contract/destinations/destination.ts';
import type { DryRunRequest } from '../../../contract/destinations/destination-settings.ts';
import type { DryRun } from '../../../contract/destinations/destinations.ts';
import * as contract from '../../../contract/destinations/destinations.ts';
import type { CommonSettings } from '../../../db/deliver/destinations.ts';
import { findDestination } from '../../../db/deliver/destinations.ts';
import { listNewestLeads, readLeadFacts } from '../../../db/deliver/lead-facts.ts';
import { type DestinationKind, destinationDefaults } from '../../../domain/destination/destination.ts';
import type { KindSettings } from '../../../domain/destination/kind/kind-settings.ts';
import { type Rendered, rendered } from '../../../domain/destination/kind/rendering.ts';
import { sampleLead } from '../../../domain/destination/sample-lead.ts';
import { notFound } from '../../calls/problem.ts';
import { route } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';
import { requireForms } from '../destination-checks.ts';
import { requireMapping } from '../kinds/webhook.ts';
import { formOfSample } from '../sample-form.ts';

type Draft = Pick<CommonSettings, 'name' | 'formIds' | 'filter' | 'mapping'> & KindSettings;

// At most 128 KB each.
const leadsPerPage = 50;

export const destinationDryRunRoutes = [
  route(contract.dryRunNewDestination, ({ params, body, ended }, deps) =>
    dryRun(deps, params.workspace_id, draftOf(newDraft(body.kind), body), ended),
  ),
  route(contract.dryRunDestination, async ({ params, body, ended }, deps) => {
    const { workspace_id, destination_id } = params;
    const saved = await findDestination(deps.pool, workspace_id, destination_id);
    if (saved === null) throw notFound('destination');
    return dryRun(deps, workspace_id, draftOf(saved, body), ended);
  }),
];

function newDraft(kind: DestinationKind): Draft {
  // Emails name their destination, which may not have a name yet.
  const common = { name: '…', formIds: null, filter: destinationDefaults.filter, mapping: [] };
  switch (kind) {
    case 'webhook':
      return { ...common, kind, config: { url: '', format: destinationDefaults.format, headers: [] } };
    case 'email':
      return { ...common, kind, config: { every: 'lead', hour: 0, timeZone: 'UTC', linkOnly: false } };
    case 'chat':
      return { ...common, kind, config: { service: 'slack', host: '', linkOnly: false } };
    case 'hubspot':
      return { ...common, kind, config: {} };
  }
}

function draftOf(saved: Draft, wanted: DryRunRequest): Draft {
  const { format, link_only: linkOnly, service } = wanted;
  const changes = {
    ...(format === undefined ? {} : { format }),
    ...(linkOnly === undefined ? {} : { linkOnly }),
    ...(service === undefined ? {} : { service }),
  };
  return {
    ...{ name: saved.name, kind: saved.kind, config: { ...saved.config, ...changes } },
    formIds: wanted.form_ids === undefined ? saved.formIds : wanted.form_ids,
    filter: wanted.filter ?? saved.filter,
    mapping: wanted.mapping ?? saved.mapping,
  } as Draft;
}

/** Leads are read in another thread: a hostile lead takes as long as thousands of normal ones. */
async function dryRun(
  deps: ManagementDeps,
  workspaceId: string,
  draft: Draft,
  ended: AbortSignal | undefined,
): Promise<DryRun> {
  const { pool, publicUrl, destinationDryRuns } = deps;
  if (draft.kind === 'webhook') requireMapping({ format: draft.config.format, mapping: draft.mapping });
  await requireForms(pool, workspaceId, draft.formIds);
  const newest = await listNewestLeads(pool, workspaceId, dryRunLeads);
  const examples: DryRun['examples'] = [];
  let matching = 0;
  let skipped = 0;
  for (let start = 0; start < newest.length && ended?.aborted !== true; start += leadsPerPage) {
    const leads = await readLeadFacts(pool, newest.slice(start, start + leadsPerPage));
    const byId = new Map(leads.map((lead) => [lead.submissionId, lead]));
    const found = await destinationDryRuns.ask({
      // In the order of the list: the newest first.
      leads: newest.flatMap(({ submissionId }) => byId.get(submissionId) ?? []),
      draft,
      publicUrl: publicUrl(),
      examplesMax: dryRunExamples - examples.length,
    });
    matching += found.matching;
    skipped += found.skipped;
    examples.push(
      ...found.examples.map(({ submissionId, body, message }) => ({
        submission_id: submissionId,
        ...viewRendered({ body, message }),
      })),
    );
  }
  const sample = examples.length === 0 ? await sampleOf(deps, workspaceId, draft) : null;
  return { checked: newest.length, matching, skipped, examples, sample };
}

/** No lead has this ID, so nobody takes the sample for one of theirs. */
const sampleId = '00000000-0000-0000-0000-000000000000';

/** What would be sent of the sample lead, as if it were no test. It may not match the filter. */
async function sampleOf(
  { pool, clock, publicUrl }: ManagementDeps,
  workspaceId: string,
  draft: Draft,
): Promise<DryRun['sample']> {
  const at = new Date(clock.now());
  const form = await formOfSample(pool, workspaceId, draft.formIds);
  const lead = { ...sampleLead({ workspaceId, submissionId: sampleId, form, at }), isTest: false };
  const event = { workspaceId, number: 0, type: 'lead.accepted', at, submissionId: sampleId } as const;
  const made = rendered(draft, { event, data: null, lead }, publicUrl());
  return made && viewRendered(made);
}

function viewRendered({ body, message }: Pick<Rendered, 'body' | 'message'>): NonNullable<DryRun['sample']> {
  return { body, message: message && { title: message.title, facts: [...message.facts], url: message.url } };
}
