import type { DueDelivery, SendingDestination } from '../db/deliver/deliver-database.ts';
import type { DisabledReason } from '../domain/destination/destination.ts';
import { matches } from '../domain/destination/filter.ts';
import type { EventFacts, LeadFacts } from '../domain/destination/lead-facts.ts';
import { disabledPayload, erasedPayload, leadPayload, type Payload } from '../domain/destination/payload.ts';
import { webhookId } from '../domain/destination/request/event-id.ts';
import { webhookHeaders } from '../domain/destination/request/webhook-signature.ts';
import { destinationHeadersOwner, destinationSecretOwner } from '../domain/destination/secrets.ts';
import type { SecretBox } from '../domain/secrets/secret-box.ts';
import type { PostRequest, PostResult } from '../net/delivery/delivery-http.ts';

/** How requests leave. Never rejects. */
export interface Sender {
  post(request: PostRequest): Promise<PostResult>;
}

/** Why a delivery is not sent, for good. */
export interface NotSent {
  readonly state: 'skipped' | 'cancelled' | 'dead';
  readonly errorClass: string;
  readonly error: string;
}

const erased: NotSent = { state: 'cancelled', errorClass: 'erased', error: 'The lead was erased.' };
const filtered: NotSent = {
  state: 'skipped',
  errorClass: 'filtered',
  error: 'The lead no longer meets the filter.',
};
/** An error of ours, which another try would not change. */
export const unwritable: NotSent = {
  state: 'dead',
  errorClass: 'unwritable',
  error: 'The lead could not be written in the format of this destination.',
};

/** `lead` is what was read just now; null if there is none. */
export function whyNotSent(
  { eventType }: DueDelivery,
  lead: LeadFacts | null,
  { formIds, filter }: SendingDestination,
): NotSent | null {
  if (!needsLead(eventType)) return null;
  if (lead === null) return erased;
  const isOfForm = formIds === null || lead.form === null || formIds.includes(lead.form.id);
  return isOfForm && matches(filter, lead) ? null : filtered;
}

export function needsLead(eventType: DueDelivery['eventType']): boolean {
  return eventType !== 'lead.erased' && eventType !== 'destination.disabled';
}

/** What a destination's requests are signed and sent with. */
export interface OpenedDestination {
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a SealedError if a key is missing. */
export function openDestination(
  destination: SendingDestination,
  secretBox: SecretBox,
  now: Date,
): OpenedDestination {
  const { id, secretCiphertext, previousSecretCiphertext, previousValidUntil, headersCiphertext } =
    destination;
  const owner = destinationSecretOwner(id);
  const secrets = [secretBox.open(secretCiphertext, owner)];
  if (previousSecretCiphertext !== null && previousValidUntil !== null && now < previousValidUntil)
    secrets.push(secretBox.open(previousSecretCiphertext, owner));
  const headers =
    headersCiphertext === null
      ? {}
      : JSON.parse(secretBox.open(headersCiphertext, destinationHeadersOwner(id)));
  return { secrets, headers };
}

interface RequestParts {
  readonly delivery: DueDelivery;
  readonly lead: LeadFacts | null;
  readonly destination: SendingDestination;
  readonly opened: OpenedDestination;
  readonly publicUrl: string | null;
  readonly at: Date;
}

/** Returns the error if there is nothing to send. */
export async function sendWith(
  sender: Sender,
  parts: RequestParts,
  signal: AbortSignal,
): Promise<PostResult | Error> {
  let request: Omit<PostRequest, 'signal'>;
  try {
    request = requestOf(parts);
  } catch (error) {
    return error as Error;
  }
  return sender.post({ ...request, signal });
}

function requestOf(parts: RequestParts): Omit<PostRequest, 'signal'> {
  const { delivery, destination, opened, at } = parts;
  const { eventNumber: number, eventType: type, eventAt, submissionId } = delivery;
  const event = { workspaceId: destination.workspaceId, number, type, at: eventAt, submissionId };
  const { body } = payloadOf(event, parts);
  const signature = webhookHeaders({ id: webhookId(event), at, body }, opened.secrets);
  const headers = { ...opened.headers, 'content-type': 'application/json', ...signature };
  return { url: destination.url, headers, body };
}

function payloadOf(event: EventFacts, { delivery, lead, destination, publicUrl }: RequestParts): Payload {
  const { format, mapping } = destination;
  switch (event.type) {
    case 'lead.erased':
      return erasedPayload(event, format);
    case 'destination.disabled': {
      const { id, name, reason } = delivery.eventData ?? {};
      const disabled = { id: String(id), name: String(name), reason: reason as DisabledReason };
      return disabledPayload(event, disabled, format);
    }
    default:
      return leadPayload(event, lead as LeadFacts, { format, mapping, publicUrl });
  }
}
