import type { FeedEvent } from '../../contract/destinations/events.ts';
import type { Lead } from '../../contract/leads/lead.ts';
import type { Format } from '../../domain/destination/destination.ts';
import type { EventFacts, LeadFacts } from '../../domain/destination/lead-facts.ts';
import { payloadOf } from '../../domain/destination/request/delivery-request.ts';
import { membersOf } from '../../domain/json/json-text.ts';
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
  const { api, workspaceId, format } = source;
  const { type, data, submission_id: submissionId } = event;
  const text =
    submissionId === null || type === 'lead.erased' ? null : await leadText(api, workspaceId, submissionId);
  const refusal = text === null ? null : refusalOf(JSON.parse(text), wanted);
  if (refusal !== null) return refusal;
  const lead = text === null ? null : await leadFacts(source, text);
  // The number only serves to derive the ID, which the feed has.
  const facts: EventFacts = { workspaceId, number: 0, type, at: new Date(event.at), submissionId };
  const payload = payloadOf({ event: facts, data, lead }, { format, mapping: [] }, api.url);
  return payload?.body ?? 'the lead was erased';
}

function refusalOf({ form_id, verdict }: Lead, wanted: Wanted): string | null {
  if (wanted.formId !== undefined && form_id !== wanted.formId) return 'another form';
  return wanted.verdict !== undefined && verdict !== wanted.verdict ? verdict : null;
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
async function leadFacts({ workspaceId, forms }: BodySource, text: string): Promise<LeadFacts> {
  const lead = JSON.parse(text) as Lead;
  const members = membersOf(text);
  const { submission_id: submissionId, form_id, surface, verdict, score, grade, enrichment } = lead;
  return {
    workspaceId,
    submissionId,
    formId: form_id,
    form: (await forms.of([form_id])).get(form_id) ?? null,
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
