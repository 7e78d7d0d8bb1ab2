import { contactOf } from '../hubspot/contact.ts';
import type { Mapping } from '../mapping.ts';
import { chatBody } from '../message/chat-body.ts';
import type { DigestMessage } from '../message/digest-message.ts';
import { emailContent } from '../message/email-content.ts';
import { eventMessage } from '../message/event-message.ts';
import type { Message } from '../message/message.ts';
import { type EventContent, payloadOf } from '../request/delivery-request.ts';
import { webhookId } from '../request/event-id.ts';
import type { KindSettings } from './kind-settings.ts';

export type RenderedSettings = KindSettings & { readonly name: string; readonly mapping: Mapping };

/** What a delivery looks like, for its owner. */
export interface Rendered {
  /** Those that can be shown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What people would read about a lead; null for anything else, and for what programs read. */
  readonly message: Message | null;
}

const json = { 'content-type': 'application/json' };

/** Null if there is nothing to send: the lead was erased, or lacks what the destination needs. */
export function rendered(
  settings: RenderedSettings,
  content: EventContent,
  publicUrl: string | null,
): Rendered | null {
  const { name, kind, config, mapping } = settings;
  switch (kind) {
    case 'webhook': {
      const payload = payloadOf(content, { format: config.format, mapping }, publicUrl);
      if (payload === null) return null;
      const headers = { ...json, 'webhook-id': webhookId(content.event) };
      return { headers, body: payload.body.toString(), message: null };
    }
    case 'email': {
      const message = eventMessage(content, { linkOnly: config.linkOnly, publicUrl });
      if (message === null) return null;
      const frame = { destinationName: name, unsubscribeUrl: null };
      const { subject, text, replyTo } = emailContent(message, frame);
      return {
        headers: { subject, ...(replyTo === null ? {} : { 'reply-to': replyTo }) },
        body: text,
        message: single(message),
      };
    }
    case 'chat': {
      const message = eventMessage(content, { linkOnly: config.linkOnly, publicUrl });
      if (message === null) return null;
      return { headers: json, body: chatBody(config.service, message), message: single(message) };
    }
    case 'hubspot': {
      const contact = content.lead === null ? null : contactOf(mapping, content.lead);
      return contact === null
        ? null
        : { headers: json, body: JSON.stringify({ inputs: [contact] }), message: null };
    }
  }
}

function single(message: Message | DigestMessage): Message | null {
  return 'entries' in message ? null : message;
}
