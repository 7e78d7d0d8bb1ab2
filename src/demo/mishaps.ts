import { depthMax } from '../domain/lead/lead.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import { hmacSha256 } from '../domain/signature.ts';
import { mintToken } from '../domain/token.ts';
import type { DemoSender, Place } from './sender.ts';

export type Mishap = (sender: DemoSender, place: Place) => Promise<void>;

const lead =
  '{"name":"Maria Keller","email":"maria.keller@nordlicht-solar.de","message":"Please call me back."}';

const typeformCall =
  '{"form_response":{"answers":[{"type":"email","email":"maria.keller@nordlicht-solar.de","field":{"ref":"email"}}]}}';
const typeformSignature = (secret: string) =>
  hmacSha256(secret, Buffer.from(typeformCall)).toString('base64');

/** One request for each rejection that a sender can cause without any change in the settings. */
export const mishaps: Partial<Record<RejectionReason, Mishap>> = {
  method_not_allowed: (sender, place) => sender.byToken(place, lead, { method: 'PUT' }),
  body_too_large: (sender, place) => sender.byToken(place, `{"photo":"${'A'.repeat(140_000)}"}`),
  encoding_unsupported: (sender, place) =>
    sender.byToken(place, lead, { headers: { 'Content-Encoding': 'br' } }),
  token_missing: (sender, place) => sender.byToken(place, lead, { without: ['Authorization'] }),
  token_malformed: (sender, { token }) => sender.byToken({ token: token.slice(0, -4) }, lead),
  token_unknown: (sender) => sender.byToken({ token: mintToken('server') }, lead),
  sender_unsupported: (sender, place) =>
    sender.signed(place, typeformCall, {
      without: ['*Timestamp', '*Signature'],
      headers: { 'Typeform-Signature': `sha256=${typeformSignature(place.secret)}` },
    }),
  timestamp_missing: (sender, place) => sender.signed(place, lead, { without: ['*Timestamp'] }),
  timestamp_invalid: (sender, place) => sender.signed(place, lead, { timestamp: '2026-11-15T08:00:00Z' }),
  timestamp_outside_window: (sender, place) => sender.signed(place, lead, { timestamp: '1700000000' }),
  signature_missing: (sender, place) => sender.signed(place, lead, { without: ['*Signature'] }),
  signature_malformed: (sender, place) =>
    sender.signed(place, lead, { headers: { '*Signature': 'c2lnbmF0dXJl' } }),
  signature_mismatch: (sender, place) => sender.signed(place, lead, { secret: `${place.secret}\n` }),
  content_type_unsupported: (sender, place) =>
    sender.byToken(place, 'name=Maria&email=maria%40nordlicht-solar.de', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
  idempotency_key_malformed: (sender, place) => sender.byToken(place, lead, { key: 'k'.repeat(300) }),
  body_not_json: (sender, place) => sender.byToken(place, "{'name': 'Maria Keller'}"),
  body_not_object: (sender, place) => sender.byToken(place, `[${lead}]`),
  body_too_deep: (sender, place) =>
    sender.byToken(place, `{"a":${'['.repeat(depthMax)}${']'.repeat(depthMax)}}`),
};
