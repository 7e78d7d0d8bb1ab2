import type { KeyObject } from 'node:crypto';
import type { SecretBox } from '../../secrets/secret-box.ts';
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
  /** The newest first. */
  readonly keys: readonly KeyObject[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a SealedError if a key is missing. */
export function openSettings(settings: SealedSettings, secretBox: SecretBox, now: Date): OpenedSettings {
  const { id, secretCiphertext, previousSecretCiphertext, previousValidUntil, headersCiphertext } = settings;
  const owner = destinationSecretOwner(id);
  const secrets = [secretBox.open(secretCiphertext, owner)];
  if (previousSecretCiphertext !== null && previousValidUntil !== null && now < previousValidUntil)
    secrets.push(secretBox.open(previousSecretCiphertext, owner));
  const headers =
    headersCiphertext === null
      ? {}
      : JSON.parse(secretBox.open(headersCiphertext, destinationHeadersOwner(id)));
  return { keys: secrets.map(webhookKey), headers };
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
    default:
      return lead === null ? null : leadPayload(event, lead, { format, mapping, publicUrl });
  }
}

/** Owners cannot replace the headers of the service. */
export function headersOf(
  event: EventFacts,
  body: Buffer,
  { keys, headers }: OpenedSettings,
  at: Date,
): Record<string, string> {
  const signature = webhookHeaders({ id: webhookId(event), at, body }, keys);
  return { ...headers, 'content-type': 'application/json', ...signature };
}
