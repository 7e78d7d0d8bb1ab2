import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Format } from '../../../domain/destination/destination.ts';
import { type Filter, matches } from '../../../domain/destination/filter.ts';
import type { LeadFacts } from '../../../domain/destination/lead-facts.ts';
import type { Mapping } from '../../../domain/destination/mapping.ts';
import { leadPayload } from '../../../domain/destination/payload.ts';

export interface DryRunQuestion {
  readonly leads: readonly LeadFacts[];
  readonly formIds: readonly string[] | null;
  readonly filter: Filter;
  readonly format: Format;
  readonly mapping: Mapping;
  readonly publicUrl: string;
  readonly examplesMax: number;
}

export interface DryRunAnswer {
  readonly matching: number;
  /** Of the first leads that match. */
  readonly examples: readonly { readonly submissionId: string; readonly body: string }[];
}

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', (question: DryRunQuestion) => {
  const { formIds, filter, examplesMax } = question;
  const matching = question.leads.filter(
    (lead) => (formIds === null || formIds.includes(String(lead.formId))) && matches(filter, lead),
  );
  const examples = matching.slice(0, examplesMax).map((lead) => ({
    submissionId: lead.submissionId,
    body: bodyOf(lead, question),
  }));
  parentPort?.postMessage({ matching: matching.length, examples } satisfies DryRunAnswer);
});

/** As if the lead had just been accepted. */
function bodyOf(lead: LeadFacts, { format, mapping, publicUrl }: DryRunQuestion): string {
  const { workspaceId, submissionId, receivedAt: at } = lead;
  const event = { workspaceId, number: 0, type: 'lead.accepted', at, submissionId } as const;
  return leadPayload(event, lead, { format, mapping, publicUrl }).body.toString();
}
