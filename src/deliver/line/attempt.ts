import type { DueDelivery, SendingDestination } from '../../db/deliver/deliver-database.ts';
import { matches } from '../../domain/destination/filter.ts';
import type { LeadFacts } from '../../domain/destination/lead-facts.ts';
import {
  headersOf,
  type OpenedSettings,
  payloadOf,
} from '../../domain/destination/request/delivery-request.ts';
import type { PostRequest, PostResult } from '../../net/delivery/delivery-http.ts';

/** How requests leave. Never rejects. */
export interface Sender {
  post(request: PostRequest): Promise<PostResult>;
}

/** Why a delivery will never be sent. */
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
  const isOfForm = formIds === null || formIds.includes(String(lead.formId));
  return isOfForm && matches(filter, lead) ? null : filtered;
}

export function needsLead(eventType: DueDelivery['eventType']): boolean {
  return eventType !== 'lead.erased' && eventType !== 'destination.disabled';
}

interface RequestParts {
  readonly delivery: DueDelivery;
  readonly lead: LeadFacts | null;
  readonly destination: SendingDestination;
  readonly opened: OpenedSettings;
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
  const { delivery, lead, destination, opened, publicUrl, at } = parts;
  const { eventNumber: number, eventType: type, eventAt, eventData: data, submissionId } = delivery;
  const event = { workspaceId: destination.workspaceId, number, type, at: eventAt, submissionId };
  const payload = payloadOf({ event, data, lead }, destination, publicUrl);
  if (payload === null) throw new Error('the event has no lead');
  const { body } = payload;
  return { url: destination.url, headers: headersOf(event, body, opened, at), body };
}
