import type { Diagnostics } from '../../../src/contract/diagnostics.ts';

type Rejection = Diagnostics['items'][number];

/** The reasons for which a request may be kept, in a few words each. */
const keptReasons = {
  rate_limited_minute: 'Over the limit per minute',
  rate_limited_day: 'Over the limit per day',
  sender_unsupported: 'Scheme not supported',
  form_inactive: 'Form inactive',
  workspace_suspended: 'Workspace suspended',
  token_revoked: 'Token expired',
  token_expired: 'Browser token expired',
  mint_limited: 'Over the limit for web pages',
  timestamp_outside_window: 'Timestamp outside the window',
  signature_mismatch: 'Signature does not match',
  secret_not_configured: 'No webhook secret',
  signature_missing: 'No signature',
  signature_malformed: 'Malformed signature',
  timestamp_missing: 'No timestamp',
  timestamp_invalid: 'Malformed timestamp',
  content_type_unsupported: 'Wrong content type',
  idempotency_key_malformed: 'Malformed idempotency key',
  idempotency_key_reused: 'Idempotency key used before',
  body_not_json: 'Body is not JSON',
  body_not_object: 'Body is not an object',
  body_too_deep: 'Body nested too deep',
} as const satisfies Partial<Record<Rejection['reason'], string>>;

export const keptReasonChoices = Object.entries(keptReasons).map(([value, label]) => ({ value, label }));

/** The signature debugger has a verdict on these. */
export const isAboutSigning = (reason: string) => /^(?:signature|timestamp)_/.test(reason);

/** As a filter of diagnostics: requests to a webhook that the debugger has a verdict on. */
export const signingFailures = {
  surface: 'webhook',
  range: '30d',
  reason: Object.keys(keptReasons).filter(isAboutSigning).join(','),
} as const;

/** A later version may keep more of them. */
export function rejectionName(reason: string): string {
  return (keptReasons as Readonly<Record<string, string>>)[reason] ?? reason;
}
