import { compact, type JsonText, kindOf, textOf } from '../../json/json-text.ts';
import { type DisabledReason, disabledTexts, type EventType } from '../destination.ts';
import type { EventFacts, LeadFacts } from '../lead-facts.ts';
import { documentOf, isPresent } from '../reading/lead-document.ts';
import type { EventContent } from '../request/delivery-request.ts';
import { lineOf, linesOf } from './plain-text.ts';

/** What people read about an event, whatever way it reaches them. Nothing in it is escaped: each format escapes for itself. */
export interface Message {
  /** One line: what happened, and to whom. */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Of the lead in the settings area; null if there is none, or if the URL of the service is unknown. */
  readonly url: string | null;
  /** Of the person who sent the lead, if it is valid and may be sent. */
  readonly replyTo: string | null;
}

export interface Fact {
  /** One line. */
  readonly label: string;
  /** May have several lines. */
  readonly value: string;
}

export interface MessageOptions {
  readonly linkOnly: boolean;
  /** Of the settings area, without a slash at the end; null if it is unknown. */
  readonly publicUrl: string | null;
}

export const messageLimits = {
  titleCharacters: 150,
  facts: 25,
  labelCharacters: 80,
  valueCharacters: 1_000,
} as const;

const titles: Readonly<Partial<Record<EventType, string>>> = {
  'lead.accepted': 'New lead',
  'lead.enriched': 'Lead enriched',
  'lead.released': 'Lead released',
  'lead.marked': 'Lead marked',
  test: 'Test lead',
};

/** Null if the event is about a lead that is no longer there. */
export function messageOf({ event, data, lead }: EventContent, options: MessageOptions): Message | null {
  if (event.type === 'destination.disabled') return disabledMessage(event, data ?? {}, options);
  if (lead === null) return null;
  const { linkOnly } = options;
  const name = linkOnly ? null : nameOf(lead);
  const title = [titles[event.type] ?? event.type, ...(name === null ? [] : [name])].join(': ');
  return {
    title: lineOf(title, messageLimits.titleCharacters),
    facts: linkOnly ? aboutLead(lead).slice(0, 1) : [...fieldsOf(lead), ...aboutLead(lead)],
    url: leadUrl(lead, options),
    replyTo: linkOnly || lead.isTest ? null : emailOf(lead),
  };
}

function disabledMessage(
  { workspaceId }: EventFacts,
  { id, name, reason }: Readonly<Record<string, unknown>>,
  { publicUrl }: MessageOptions,
): Message {
  return {
    title: lineOf(`Destination disabled: ${name}`, messageLimits.titleCharacters),
    facts: [{ label: 'Reason', value: disabledTexts[reason as DisabledReason] ?? '' }],
    url: publicUrl === null ? null : `${publicUrl}/w/${workspaceId}/destinations/${id}`,
    replyTo: null,
  };
}

/** Nobody can open the lead of a test. */
function leadUrl(
  { workspaceId, submissionId, isTest }: LeadFacts,
  { publicUrl }: MessageOptions,
): string | null {
  return publicUrl === null || isTest ? null : `${publicUrl}/w/${workspaceId}/leads/${submissionId}`;
}

function fieldsOf(lead: LeadFacts): Fact[] {
  const present = [...documentOf(lead).fields()].filter(([, json]) => isPresent(json));
  const { facts, labelCharacters, valueCharacters } = messageLimits;
  const shown = present.slice(0, facts).map(([key, json]) => ({
    label: lineOf(key, labelCharacters),
    value: linesOf(valueText(json), valueCharacters),
  }));
  const left = present.length - shown.length;
  return left === 0 ? shown : [...shown, { label: 'Further fields', value: String(left) }];
}

function valueText(json: JsonText): string {
  const kind = kindOf(json);
  return kind === 'object' || kind === 'list' ? compact(json) : textOf(json);
}

function aboutLead({ formId, form, score, grade }: LeadFacts): Fact[] {
  const missing = formId === null ? 'No form yet' : 'Deleted form';
  return [
    { label: 'Form', value: form === null ? missing : lineOf(form.name, messageLimits.valueCharacters) },
    { label: 'Score', value: `${score} (${grade})` },
  ];
}

const firstNameKeys = ['first_name', 'firstname'];
const lastNameKeys = ['last_name', 'lastname'];
const nameKeys = ['name', 'full_name', 'fullname', 'your_name'];
const emailKeys = ['email', 'e-mail', 'email_address', 'mail', 'work_email', 'your_email'];
const knownKeys = new Set([...firstNameKeys, ...lastNameKeys, ...nameKeys, ...emailKeys]);

/** What a person would call the lead: a name, or an email address. */
export function nameOf(lead: LeadFacts): string | null {
  const known = knownTexts(lead);
  const parts = [firstOf(known, firstNameKeys), firstOf(known, lastNameKeys)];
  const whole = parts.filter((part) => part !== null).join(' ');
  return firstOf(known, nameKeys) ?? (whole === '' ? firstOf(known, emailKeys) : whole);
}

// Valid enough for a header: a single address in ASCII without anything that has a meaning there.
const addressShape =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/i;
// Some programs decode it even in an address, and read another address then.
const encodedWord = '=?';
const addressCharactersMax = 254;

export function emailOf(lead: LeadFacts): string | null {
  const address = firstOf(knownTexts(lead), emailKeys);
  if (address === null || address.length > addressCharactersMax || address.includes(encodedWord)) return null;
  const [local = '', domain = ''] = address.split('@');
  const areLabelsValid = domain.split('.').every((label) => /^[^-](?:.{0,61}[^-])?$/.test(label));
  return local.length <= 64 && areLabelsValid && addressShape.test(address) ? address : null;
}

function firstOf(known: ReadonlyMap<string, string>, keys: readonly string[]): string | null {
  const key = keys.find((one) => known.has(one));
  return key === undefined ? null : (known.get(key) ?? null);
}

/** The texts that are not empty, by key in lower case. Of keys that differ in case only, the first counts. */
function knownTexts(lead: LeadFacts): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [name, json] of documentOf(lead).fields()) {
    if (name.length > messageLimits.labelCharacters || kindOf(json) !== 'text') continue;
    const key = name.toLowerCase();
    if (!knownKeys.has(key) || known.has(key)) continue;
    const text = textOf(json).trim();
    if (text !== '') known.set(key, text);
  }
  return known;
}
