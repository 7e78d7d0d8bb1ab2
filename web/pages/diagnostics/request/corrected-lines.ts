import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';

type Reason = RejectedRequest['reason'];
type Topic = 'address' | 'body' | 'content type' | 'key' | 'signature' | 'timestamp' | 'token';

/** What of a sender's code is wrong. The others are fixed in the settings, or are limits. */
const topics: Partial<Record<Reason, Topic>> = {
  method_not_allowed: 'address',
  body_too_large: 'body',
  encoding_unsupported: 'body',
  token_missing: 'token',
  token_malformed: 'token',
  token_unknown: 'token',
  token_revoked: 'token',
  token_wrong_type: 'token',
  form_unknown: 'address',
  timestamp_missing: 'timestamp',
  timestamp_invalid: 'timestamp',
  timestamp_outside_window: 'timestamp',
  signature_missing: 'signature',
  signature_malformed: 'signature',
  signature_mismatch: 'signature',
  content_type_unsupported: 'content type',
  idempotency_key_malformed: 'key',
  body_not_json: 'body',
  body_not_object: 'body',
  body_too_deep: 'body',
};

export const topicOf = (reason: Reason): Topic | undefined => topics[reason];

/** Lines of the samples in all languages. */
const shapes: Readonly<Record<Topic, RegExp>> = {
  address: /\/api\/v1\/ingest|\bPOST\b|http\.post/,
  body: /json_encode|json\.(?:dumps|Marshal)|JSON\.(?:stringify|generate)|^body=|--data-binary/,
  'content type': /Content-Type/,
  key: /Idempotency-Key|IDEMPOTENCY_KEY/,
  signature:
    /secret(?: :?=|=)|message(?:\(\)| :?=|\.Write)|mac\.Write|hmac\.[nN]ew|signature(?: :?=|=)|-Signature/,
  timestamp: /timestamp(?: :?=|=)|-Timestamp/,
  token: /Authorization/,
};

const comment = /^\s*(?:#|\/\/)/;

/** The lines of a sample that a sender has to get right, each with the comment above it. */
export function correctedLines(sample: string, topic: Topic): string {
  const lines = sample.split('\n');
  const isShown = (place: number) => {
    const line = lines[place] ?? '';
    return shapes[topic].test(line) && !comment.test(line);
  };
  const shown = lines.filter((line, place) => isShown(place) || (comment.test(line) && isShown(place + 1)));
  const indents = shown.map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents);
  return shown.map((line) => line.slice(common)).join('\n');
}
