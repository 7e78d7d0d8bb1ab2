import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Filter, matches } from '../../../domain/destination/filter.ts';
import {
  type Rendered,
  type RenderedSettings,
  rendered,
} from '../../../domain/destination/kind/rendering.ts';
import type { LeadFacts } from '../../../domain/destination/lead-facts.ts';
import type { Message } from '../../../domain/destination/message/message.ts';

export interface DryRunQuestion {
  readonly leads: readonly LeadFacts[];
  readonly draft: RenderedSettings & { readonly formIds: readonly string[] | null; readonly filter: Filter };
  readonly publicUrl: string;
  readonly examplesMax: number;
}

export interface DryRunAnswer {
  readonly matching: number;
  /** Of these, those that lack what the destination needs. */
  readonly skipped: number;
  /** Of the first leads that match. */
  readonly examples: readonly {
    readonly submissionId: string;
    readonly body: string;
    readonly message: Message | null;
  }[];
}

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', (question: DryRunQuestion) => {
  const { formIds, filter, kind } = question.draft;
  const matching = question.leads.filter(
    (lead) => (formIds === null || formIds.includes(String(lead.formId))) && matches(filter, lead),
  );
  const examples: DryRunAnswer['examples'][number][] = [];
  let skipped = 0;
  for (const lead of matching) {
    const isExample = examples.length < question.examplesMax;
    // Only a CRM needs something that a lead may lack.
    if (!isExample && kind !== 'hubspot') break;
    const made = renderingOf(lead, question);
    if (made === null) skipped++;
    else if (isExample)
      examples.push({ submissionId: lead.submissionId, body: made.body, message: made.message });
  }
  parentPort?.postMessage({ matching: matching.length, skipped, examples } satisfies DryRunAnswer);
});

/** As if the lead had just been accepted. */
function renderingOf(lead: LeadFacts, { draft, publicUrl }: DryRunQuestion): Rendered | null {
  const { workspaceId, submissionId, receivedAt: at } = lead;
  const event = { workspaceId, number: 0, type: 'lead.accepted', at, submissionId } as const;
  return rendered(draft, { event, data: null, lead }, publicUrl);
}
