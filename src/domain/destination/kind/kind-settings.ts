import type { DestinationKind, Format, SubscribableEvent } from '../destination.ts';
import type { DigestSettings } from './digest.ts';

/** What an owner decides about a destination of each kind, besides which leads it gets. Secrets are stored apart, encrypted. */
export interface WebhookConfig {
  readonly url: string;
  readonly format: Format;
  /** The names of own headers. */
  readonly headers: readonly string[];
}

/** Its recipients are in a table of their own, because each has a say. */
export interface EmailConfig extends DigestSettings {
  /** Nothing of the lead but a link to it. */
  readonly linkOnly: boolean;
}

/** Its URL is its secret. */
export interface ChatConfig {
  readonly service: ChatService;
  /** Of the URL, to recognise it by. */
  readonly host: string;
  readonly linkOnly: boolean;
}

/** Its secret is the access token of a private app. */
type HubspotConfig = Readonly<Record<never, never>>;

export type KindSettings =
  | { readonly kind: 'webhook'; readonly config: WebhookConfig }
  | { readonly kind: 'email'; readonly config: EmailConfig }
  | { readonly kind: 'chat'; readonly config: ChatConfig }
  | { readonly kind: 'hubspot'; readonly config: HubspotConfig };

/** Chats that accept messages at a URL. */
export const chatServices = ['slack', 'mattermost', 'teams', 'discord'] as const;
export type ChatService = (typeof chatServices)[number];

const alarmEvents = ['alarm.opened', 'alarm.reminder', 'alarm.closed', 'alarm.digest'] as const;
const leadEvents = ['lead.accepted', 'lead.enriched', 'lead.released', 'lead.marked'] as const;

/** Which events a destination of each kind can have. An erased lead has nothing that a person or a CRM could be told. */
export const kindEvents: Readonly<Record<DestinationKind, readonly SubscribableEvent[]>> = {
  webhook: [...leadEvents, 'lead.erased', 'destination.disabled', ...alarmEvents],
  email: [...leadEvents, 'destination.disabled', ...alarmEvents],
  chat: [...leadEvents, 'destination.disabled', ...alarmEvents],
  hubspot: leadEvents,
};

/** How many requests or messages a second a destination gets at most. Owners decide it for webhooks only. */
export const kindPerSecond: Readonly<Record<Exclude<DestinationKind, 'webhook'>, number>> = {
  email: 1,
  chat: 1,
  hubspot: 5,
};
