import type { FeedEvent } from '../../contract/destinations/events.ts';
import type { Lead } from '../../contract/leads/lead.ts';
import type { Format } from '../../domain/destination/destination.ts';
import type { EventFacts, FormFacts, LeadFacts } from '../../domain/destination/lead-facts.ts';
import {
  type DisabledDestination,
  disabledPayload,
  erasedPayload,
  leadPayload,
} from '../../domain/destination/payload.ts';
import { membersOf } from '../../domain/destination/reading/json-text.ts';
import type { Api } from '../api.ts';
import { CliError } from '../exit.ts';
import type { KnownForms } from '../known-forms.ts';

export interface BodySource {
  readonly api: Api;
  readonly workspaceId: string;
  readonly forms: KnownForms;
  readonly format: Format;
}

export interface Wanted {
  readonly formId: string | undefined;
  readonly verdict: Lead['verdict'] | undefined;
}

/** The body that a destination would send, or why there is none. */
export async function bodyOf(source: BodySource, event: FeedEvent, wanted: Wanted): Promise<Buffer | string> {
  const { api, workspaceId, forms, format } = source;
  const { type, submission_id: submissionId } = event;
  const facts: EventFacts = { workspaceId, number: 0, type, at: new Date(event.at), submissionId };
  if (type === 'lead.erased') return erasedPayload(facts, format).body;
  if (submissionId === null)
    return disabledPayload(facts, event.data as unknown as DisabledDestination, format).body;
  const text = await leadText(api, workspaceId, submissionId);
  if (text === null) return 'the lead was erased';
  const { form_id, verdict } = JSON.parse(text) as Lead;
  if (wanted.formId !== undefined && form_id !== wanted.formId) return 'another form';
  if (wanted.verdict !== undefined && verdict !== wanted.verdict) return verdict;
  const form = (await forms.of([form_id])).get(form_id) ?? null;
  const options = { format, mapping: [], publicUrl: api.url };
  return leadPayload(facts, leadFacts(workspaceId, text, form), options).body;
}

async function leadText(api: Api, workspaceId: string, submissionId: string): Promise<string | null> {
  try {
    return await api.text('/workspaces/:workspace_id/leads/:submission_id', {
      params: { workspace_id: workspaceId, submission_id: submissionId },
    });
  } catch (error) {
    if (error instanceof CliError && error.reason === 'missing') return null;
    throw error;
  }
}

/** Fields and reasons as they are written, because a parsed number of 19 digits is another one. */
function leadFacts(workspaceId: string, text: string, form: FormFacts | null): LeadFacts {
  const lead = JSON.parse(text) as Lead;
  const members = membersOf(text);
  const { submission_id: submissionId, surface, verdict, score, grade, enrichment } = lead;
  return {
    workspaceId,
    submissionId,
    form,
    receivedAt: new Date(lead.received_at),
    surface,
    verdict,
    score,
    grade,
    fields: members.get('fields') ?? '{}',
    enrichment: enrichment === null ? null : (members.get('enrichment') ?? null),
    isEnriched: enrichment !== null,
    reasons: members.get('reasons') ?? '[]',
    isTest: false,
  };
}
