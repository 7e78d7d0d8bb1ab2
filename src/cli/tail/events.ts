import { verdictColour } from '../commands/lead/verdict.ts';
import { styled } from '../output.ts';
import { printable } from '../terminal/safe-text.ts';
import type { ToldLead } from './lead-feed.ts';
import type { Rejected } from './outcome-feed.ts';

/** Every line of JSON has the same members; those that do not apply are null. */
export interface TailEvent extends Omit<Rejected, 'outcome' | 'reason'> {
  readonly outcome: 'accepted' | Rejected['outcome'];
  readonly reason: string | null;
  readonly submission_id: string | null;
  /** The slug of the form; null if unknown. */
  readonly form: string | null;
  readonly verdict: string | null;
  readonly grade: string | null;
  readonly score: number | null;
}

type Forms = ReadonlyMap<string, { readonly slug: string } | null>;

export function inOrder(
  leads: readonly ToldLead[],
  rejected: readonly Rejected[],
  forms: Forms,
): TailEvent[] {
  const events = [
    ...leads.map((lead) => ofLead(lead, forms)),
    ...rejected.map((entry) => ofRejected(entry, forms)),
  ];
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function ofLead({ received_at, ...lead }: ToldLead, forms: Forms): TailEvent {
  return {
    at: received_at,
    outcome: 'accepted',
    reason: null,
    count: 1,
    request_id: null,
    token_id: null,
    detail: null,
    ...lead,
    form: forms.get(lead.form_id)?.slug ?? null,
  };
}

function ofRejected(entry: Rejected, forms: Forms): TailEvent {
  const form = entry.form_id === null ? null : (forms.get(entry.form_id)?.slug ?? null);
  return { ...entry, submission_id: null, form, verdict: null, grade: null, score: null };
}

const colours = { accepted: 'green', rate_limited: 'yellow', rejected: 'red' } as const;

export function eventText(event: TailEvent): string {
  const { at, outcome, reason, count, surface, form, request_id, submission_id, detail } = event;
  const times = count === 1 ? '' : ` ×${count}`;
  const details = detail === null || Object.keys(detail).length === 0 ? null : JSON.stringify(detail);
  const parts = [
    styled('dim', printable(at)),
    styled(colours[outcome], printable((reason ?? outcome) + times)),
    verdictText(event),
    ...[form, surface, submission_id ?? request_id].map((part) => part && printable(part)),
    details && styled('dim', printable(details)),
  ];
  return parts.filter((part) => part !== null && part !== '').join(' ');
}

function verdictText({ verdict, grade, score }: TailEvent): string | null {
  return verdict === null ? null : `${styled(verdictColour(verdict), printable(verdict))} ${grade} ${score}`;
}
