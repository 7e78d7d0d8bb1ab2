import type { Logger } from 'pino';
import type { DeliverDatabase, DueDelivery } from '../db/deliver/deliver-database.ts';
import type { DisabledReason } from '../domain/destination/destination.ts';
import type { KindSettings } from '../domain/destination/kind/kind-settings.ts';
import type { LeadFacts } from '../domain/destination/lead-facts.ts';
import type { Mapping } from '../domain/destination/mapping.ts';
import type { OpenedSettings } from '../domain/destination/request/delivery-request.ts';
import { meaningOf, type ResponseMeaning } from '../domain/destination/retry/schedule.ts';
import { statusText } from '../domain/destination/retry/status-text.ts';
import type { Mail } from '../mail/mail.ts';
import type { PostRequest, PostResult } from '../net/delivery/delivery-http.ts';
import type { Clock } from '../time/clock.ts';

/** How the deliveries of one kind of destination leave. */
export interface Channel {
  /** How many deliveries one parcel may have, besides digests. */
  readonly itemsMax: number;
  /** How many parcels of one destination may be under way. */
  readonly atOnceMax: number;
  /** What became of each delivery, in the same order. Never rejects. */
  send(parcel: Parcel, signal: AbortSignal): Promise<readonly TryResult[]>;
}

/** Deliveries that are sent together. */
export interface Parcel {
  /** Its kind is the one of the channel. */
  readonly destination: SentDestination;
  readonly opened: OpenedSettings;
  readonly items: readonly Item[];
  /** True if people get one message about all of them. */
  readonly isDigest: boolean;
  /** Of the settings area; null if it is unknown. */
  readonly publicUrl: string | null;
  readonly at: Date;
}

type SentDestination = KindSettings & {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly mapping: Mapping;
};

export interface Item {
  readonly delivery: DueDelivery;
  /** Null if the event is not about a lead, if it was erased, or if it was not read. */
  readonly lead: LeadFacts | null;
  /** True for the part of a digest of which only the number is told. */
  readonly isOnlyCounted: boolean;
}

export type TryResult = Tried | NotSent;

/** What a receiver made of a delivery. */
export interface Tried {
  readonly meaning: ResponseMeaning;
  /** Why the destination is disabled, if it is. */
  readonly disables: DisabledReason | null;
  /** True if the receiver works, and refuses only this lead. Then it says nothing about the destination. */
  readonly isLeadRefused: boolean;
  /** Of the response, or of the mail server's reply; null without one. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** For programs and for people; null if it was delivered. */
  readonly errorClass: string | null;
  readonly error: string | null;
  /** The beginning of the response, for its owner. */
  readonly head: Buffer | null;
  readonly ms: number;
  /** The recipients who have it now, by ID, if others have not. */
  readonly sentTo: readonly string[];
  /** True if this try reached some of them, so the receiver works. */
  readonly isPartlyDelivered?: boolean;
}

/** Why a delivery will never be sent. */
export interface NotSent {
  readonly state: 'skipped' | 'cancelled' | 'dead';
  readonly errorClass: string;
  readonly error: string;
}

/** An error of ours, which another try would not change. */
export const unwritable: NotSent = {
  state: 'dead',
  errorClass: 'unwritable',
  error: 'The lead could not be written in the format of this destination.',
};

/** How requests leave. Never rejects. */
export interface Sender {
  post(request: PostRequest): Promise<PostResult>;
}

/** What channels are made of. */
export interface ChannelDeps {
  readonly sender: Sender;
  readonly database: Pick<DeliverDatabase, 'listRecipients' | 'saveRecipientErrors'>;
  readonly mail: Pick<Mail, 'isOn' | 'deliver'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the API of HubSpot. */
  readonly hubspotUrl: string;
}

/** What the result of a request means in general. A channel that knows more changes it. */
export function triedOf(result: PostResult): Tried {
  const rest = { isLeadRefused: false, ms: result.ms, sentTo: [] };
  if ('failure' in result) {
    const { failure: errorClass, text: error } = result;
    const none = { status: null, retryAfterMs: null, head: null, disables: null };
    return { ...rest, ...none, meaning: 'failed', errorClass, error };
  }
  const { status, retryAfterMs, head } = result;
  const meaning = meaningOf(status);
  const error = statusText(status);
  return {
    ...rest,
    meaning,
    disables: meaning === 'gone' ? 'gone' : null,
    status,
    retryAfterMs,
    errorClass: error === null ? null : meaning,
    error,
    head,
  };
}
