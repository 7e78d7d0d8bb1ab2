import type { KeyObject } from 'node:crypto';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { alarmPayload } from '../alarm/alarm-payload.ts';
import type { DisabledReason, Format } from '../destination.ts';
import type { EventFacts, LeadFacts } from '../lead-facts.ts';
import type { Mapping } from '../mapping.ts';
import { disabledPayload, erasedPayload, leadPayload, type Payload } from '../payload.ts';
import { destinationHeadersOwner, destinationSecretOwner } from '../secrets.ts';
import { webhookId } from './event-id.ts';
import { webhookHeaders, webhookKey } from './webhook-signature.ts';

export interface SealedSettings {
  readonly id: string;
  readonly headersCiphertext: Buffer | null;
  readonly secretCiphertext: Buffer;
  readonly previousSecretCiphertext: Buffer | null;
  readonly previousValidUntil: Date | null;
}

/** What a destination's requests are signed and sent with. */
export interface OpenedSettings {
  /** The newest first. Only a webhook can have two. */
  readonly secrets: readonly [string, ...string[]];
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a SealedError if a key is missing. */
export function openSettings(settings: SealedSettings, secretBox: SecretBox, now: Date): OpenedSettings {
  const { id, secretCiphertext, previousSecretCiphertext, previousValidUntil, headersCiphertext } = settings;
  const owner = destinationSecretOwner(id);
  const secrets: [string, ...string[]] = [secretBox.open(secretCiphertext, owner)];
  if (previousSecretCiphertext !== null && previousValidUntil !== null && now < previousValidUntil)
    secrets.push(secretBox.open(previousSecretCiphertext, owner));
  const headers =
    headersCiphertext === null
      ? {}
      : JSON.parse(secretBox.open(headersCiphertext, destinationHeadersOwner(id)));
  return { secrets, headers };
}

/** An event with what it is about. */
export interface EventContent {
  readonly event: EventFacts;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** As it is now; null if there is none. */
  readonly lead: LeadFacts | null;
}

export interface BodySettings {
  readonly format: Format;
  readonly mapping: Mapping;
}

/** Null if the event is about a lead that is no longer there. */
export function payloadOf(
  { event, data, lead }: EventContent,
  { format, mapping }: BodySettings,
  publicUrl: string | null,
): Payload | null {
  switch (event.type) {
    case 'lead.erased':
      return erasedPayload(event, format);
    case 'destination.disabled': {
      const { id, name, reason } = data ?? {};
      const disabled = { id: String(id), name: String(name), reason: reason as DisabledReason };
      return disabledPayload(event, disabled, format);
    }
    case 'alarm.opened':
    case 'alarm.reminder':
    case 'alarm.closed':
    case 'alarm.digest':
      return alarmPayload(event, data, { format, publicUrl });
    default:
      return lead === null ? null : leadPayload(event, lead, { format, mapping, publicUrl });
  }
}

// Making a key takes a third of the time of signing, and many requests have the same settings.
const knownKeys = new WeakMap<OpenedSettings, readonly KeyObject[]>();

function keysOf(opened: OpenedSettings): readonly KeyObject[] {
  const known = knownKeys.get(opened) ?? opened.secrets.map(webhookKey);
  knownKeys.set(opened, known);
  return known;
}

/** Owners cannot replace the headers of the service. */
export function headersOf(
  event: EventFacts,
  body: Buffer,
  opened: OpenedSettings,
  at: Date,
): Record<string, string> {
  const signature = webhookHeaders({ id: webhookId(event), at, body }, keysOf(opened));
  return { ...opened.headers, 'content-type': 'application/json', ...signature };
}
