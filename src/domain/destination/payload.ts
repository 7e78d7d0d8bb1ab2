import { compact, type JsonText } from '../json/json-text.ts';
import { type DisabledReason, destinationLimits, type Format } from './destination.ts';
import type { EventFacts, LeadFacts } from './lead-facts.ts';
import { type Mapping, mapped } from './mapping.ts';
import { documentOf } from './reading/lead-document.ts';

/** The body of a request: compact JSON in UTF-8. The same event and lead make the same bytes on every try. */
export interface Payload {
  readonly body: Buffer;
  /** The lead was too large, so only its IDs and a link are in it. */
  readonly isTruncated: boolean;
}

export interface PayloadOptions {
  readonly format: Format;
  /** For the format `mapped`. */
  readonly mapping: Mapping;
  /** Of the settings area, without a slash at the end; null if it is unknown. */
  readonly publicUrl: string | null;
}

export interface DisabledDestination {
  readonly id: string;
  readonly name: string;
  readonly reason: DisabledReason;
}

/** What a sender calls its own field cannot replace it. */
const ownKey = '_leadgate';

const keptBytesMax = 16 * 1024;
/** Of the formats that are the same for all destinations, as long as someone has the lead. */
const payloadsByLead = new WeakMap<LeadFacts, Map<string, Payload>>();

/** For every event about a lead that is still there, and for tests. */
export function leadPayload(event: EventFacts, lead: LeadFacts, options: PayloadOptions): Payload {
  const { format } = options;
  if (format !== 'standard' && format !== 'flat') return newPayload(event, lead, options);
  const key = `${format} ${event.type} ${event.at.getTime()}`;
  const known = payloadsByLead.get(lead);
  const payload = known?.get(key) ?? newPayload(event, lead, options);
  if (payload.body.length <= keptBytesMax) payloadsByLead.set(lead, (known ?? new Map()).set(key, payload));
  return payload;
}

function newPayload(event: EventFacts, lead: LeadFacts, options: PayloadOptions): Payload {
  const text = leadText(event, lead, options);
  const body = Buffer.from(text);
  if (body.length <= destinationLimits.bodyBytes) return { body, isTruncated: false };
  const members = [...idsOf(lead, options), ['truncated', 'true'] as const];
  return { body: Buffer.from(standard(event, members)), isTruncated: true };
}

/** An erased lead leaves only its ID. */
export function erasedPayload(event: EventFacts, format: Format): Payload {
  return shortPayload(event, format, [['submission_id', JSON.stringify(event.submissionId)]]);
}

export function disabledPayload(
  event: EventFacts,
  { id, name, reason }: DisabledDestination,
  format: Format,
): Payload {
  return shortPayload(event, format, [['destination', JSON.stringify({ id, name, reason })]]);
}

type Members = Iterable<readonly [key: string, json: JsonText]>;

/** A mapping reads a lead, so what is not about one has the standard format. */
export function shortPayload(event: EventFacts, format: Format, members: Members): Payload {
  const text = format === 'flat' ? flat([], event, members) : standard(event, members);
  return { body: Buffer.from(text), isTruncated: false };
}

function leadText(event: EventFacts, lead: LeadFacts, options: PayloadOptions): string {
  switch (options.format) {
    case 'thin':
      return standard(event, idsOf(lead, options));
    case 'standard':
      return standard(event, compacted(documentOf(lead).members()));
    case 'flat':
      return flat(
        compacted(documentOf(lead).fields()),
        event,
        compacted(documentOf(lead).members()).filter(([key]) => key !== 'fields'),
      );
    case 'mapped': {
      const members = mapped(options.mapping, lead);
      // A test must not be taken for a lead, whatever the mapping sends.
      return lead.isTest ? flat(members, event, [['test', 'true']]) : object(members);
    }
  }
}

/** `{"type", "timestamp", "data": {…}}` */
function standard(event: EventFacts, data: Members): string {
  return object([...about(event), ['data', object(data)]]);
}

/** The fields on top and everything else beside them, for tools that cannot reach into an object. */
function flat(fields: Members, event: EventFacts, members: Members): string {
  const others = [...fields].filter(([key]) => key !== ownKey);
  return object([...others, [ownKey, object([...about(event), ...members])]]);
}

function about({ type, at }: EventFacts): [string, JsonText][] {
  return [
    ['type', JSON.stringify(type)],
    ['timestamp', JSON.stringify(at)],
  ];
}

function idsOf(lead: LeadFacts, { publicUrl }: PayloadOptions): [string, JsonText][] {
  const { submissionId, workspaceId, form, isTest } = lead;
  // Nobody can open the lead of a test.
  const url = publicUrl === null || isTest ? null : `${publicUrl}/w/${workspaceId}/leads/${submissionId}`;
  return [
    ['submission_id', JSON.stringify(submissionId)],
    ['workspace_id', JSON.stringify(workspaceId)],
    ['form_id', JSON.stringify(form?.id ?? null)],
    ['url', JSON.stringify(url)],
    ['test', JSON.stringify(isTest)],
  ];
}

function compacted(members: Members): [string, JsonText][] {
  return Array.from(members, ([key, json]) => [key, compact(json)]);
}

/** Values are joined as text, so that nothing in them is rounded, reordered or taken for a prototype. */
function object(members: Members): JsonText {
  return `{${Array.from(members, ([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
