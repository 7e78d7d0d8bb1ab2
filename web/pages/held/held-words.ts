import type { HeldSubmission } from '../../../src/contract/held/held.ts';
import { numberText } from '../../parts/numbers.ts';

type Reason = HeldSubmission['reason'];
type HeldClass = HeldSubmission['class'];

export const classNames: Readonly<Record<HeldClass, string>> = {
  A: 'Proven',
  B: 'Proven, with a formal error',
  C: 'No lead',
  D: 'Not proven',
};

export const classTexts: Readonly<Record<HeldClass, string>> = {
  A: 'The sender proved who they are, and the request would have been a lead. It can be admitted.',
  B: 'The sender proved who they are, and only the form of the request was wrong. It can be admitted.',
  C: 'The sender proved who they are, but the body cannot become a lead. You can copy it.',
  D: 'The signature does not match the secret of the form, so anyone may have sent this. It can be admitted once the signature matches.',
};

export const stateNames: Readonly<Record<HeldSubmission['state'], string>> = {
  held: 'Held',
  admitted: 'Admitted',
  discarded: 'Discarded',
};

/** The reasons for which a request may be kept, in a few words each. */
const keptReasons = {
  rate_limited_minute: 'Over the limit per minute',
  rate_limited_day: 'Over the limit per day',
  form_inactive: 'Form inactive',
  workspace_suspended: 'Workspace suspended',
  token_revoked: 'Token expired',
  timestamp_outside_window: 'Signed too long before or after',
  signature_mismatch: 'Signature does not match',
  secret_not_configured: 'No webhook secret',
  signature_missing: 'No signature',
  signature_malformed: 'Malformed signature',
  timestamp_missing: 'No timestamp',
  timestamp_invalid: 'Malformed timestamp',
  content_type_unsupported: 'Wrong content type',
  idempotency_key_malformed: 'Malformed idempotency key',
  body_not_json: 'Body is not JSON',
  body_not_object: 'Body is not an object',
  body_too_deep: 'Body nested too deep',
} as const satisfies Partial<Record<Reason, string>>;

export const reasonChoices = Object.entries(keptReasons).map(([value, label]) => ({ value, label }));

/** A later version may keep more of them. */
export function reasonName(reason: string): string {
  return (keptReasons as Readonly<Record<string, string>>)[reason] ?? reason;
}

/** "812 B", "12.3 KB" */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${numberText(bytes)} B`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_024
    ? `${numberText(Math.round(kilobytes * 10) / 10)} KB`
    : `${numberText(Math.round(kilobytes / 102.4) / 10)} MB`;
}
