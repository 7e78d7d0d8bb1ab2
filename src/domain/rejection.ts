/**
 * Why a submission can be rejected: one closed table, in the order in which the checks are made. The first
 * reason that applies is recorded. Answers, counts, metrics, the API and the docs all read this table; the
 * sender never sees any of it.
 */
export const rejectionReasons = [
  {
    code: 'method_not_allowed',
    category: 'other',
    text: 'The request did not use the method POST.',
    fix: 'Send the lead with POST.',
  },
  {
    code: 'body_too_large',
    category: 'other',
    text: 'The body is larger than 128 KB (131,072 bytes).',
    fix: 'Send less: leave out files and base64 attachments and send a link to them.',
  },
  {
    code: 'encoding_unsupported',
    category: 'other',
    text: 'The request is compressed, or its HTTP framing cannot be read.',
    fix: 'Send the body as it is: no Content-Encoding, and no Transfer-Encoding other than chunked.',
  },
  {
    code: 'token_missing',
    category: 'other',
    text: 'There is no Authorization header with a Bearer token.',
    fix: 'Send exactly one header: Authorization: Bearer ingt_srv_…',
  },
  {
    code: 'token_malformed',
    category: 'other',
    text: 'The token does not have the shape of an ingest token, or its checksum is wrong.',
    fix: 'Copy the token again; most likely a part of it was cut off.',
  },
  {
    code: 'token_unknown',
    category: 'other',
    text: 'No token like this exists.',
    fix: 'Create a token under Ingest tokens and use it.',
  },
  {
    code: 'token_revoked',
    category: 'other',
    text: 'The token was revoked or has expired.',
    fix: 'Use its successor in the sender when it was rotated, or create a new token.',
  },
  {
    code: 'token_wrong_type',
    category: 'other',
    text: 'The token is not a server token.',
    fix: 'Use a token that starts with ingt_srv_.',
  },
  {
    code: 'form_unknown',
    category: 'other',
    text: 'The form does not exist or was deleted.',
    fix: 'Check the slug in the URL, or create a token for a form that exists.',
  },
  {
    code: 'slug_ambiguous',
    category: 'other',
    text: 'The slug belongs to forms of more than one workspace.',
    fix: 'Give the form another slug and post to that one.',
  },
  {
    code: 'workspace_suspended',
    category: 'other',
    text: 'The workspace is suspended.',
    fix: 'Ask the operator to resume the workspace.',
  },
  {
    code: 'form_inactive',
    category: 'other',
    text: 'The form is inactive.',
    fix: 'Activate the form.',
  },
  {
    code: 'secret_not_configured',
    category: 'other',
    text: 'The form has no webhook secret, so no signature can be checked.',
    fix: "Set a webhook secret in the form's Delivery settings.",
  },
  {
    code: 'timestamp_missing',
    category: 'other',
    text: 'The timestamp header is missing.',
    fix: 'Send the time of signing, in Unix seconds, in the timestamp header.',
  },
  {
    code: 'timestamp_invalid',
    category: 'other',
    text: 'The timestamp is not a plain number of Unix seconds, or was sent more than once.',
    fix: 'Send 1 to 12 digits, for example 1765432100; divide milliseconds by 1000.',
  },
  {
    code: 'timestamp_outside_window',
    category: 'other',
    text: "The timestamp is more than 5 minutes away from the server's time.",
    fix: "Sign each attempt anew, and check the sender's clock.",
  },
  {
    code: 'signature_missing',
    category: 'other',
    text: 'The signature header is missing.',
    fix: 'Send the HMAC-SHA256 of "{timestamp}.{body}" in the signature header.',
  },
  {
    code: 'signature_malformed',
    category: 'other',
    text: 'The signature is not 64 hexadecimal characters, or was sent more than once.',
    fix: 'Send the digest as hex, with or without the prefix sha256=; not as base64.',
  },
  {
    code: 'signature_mismatch',
    category: 'other',
    text: 'The signature does not match the timestamp and body that arrived.',
    fix: 'Check the secret, and sign the exact bytes that are sent.',
  },
  {
    code: 'content_type_unsupported',
    category: 'other',
    text: 'The content type is not application/json in UTF-8.',
    fix: 'Send the header Content-Type: application/json.',
  },
  {
    code: 'idempotency_key_malformed',
    category: 'other',
    text: 'The idempotency key is empty, longer than 255 characters, not UTF-8, or was sent more than once.',
    fix: 'Send one key of 1 to 255 characters, or leave the header out.',
  },
  {
    code: 'body_not_json',
    category: 'other',
    text: 'The body is not valid JSON in UTF-8.',
    fix: 'Send valid JSON; most libraries can make it from an object.',
  },
  {
    code: 'body_not_object',
    category: 'other',
    text: 'The body is JSON, but not an object.',
    fix: 'Send one object per request, for example {"email":"ada@example.com"}.',
  },
  {
    code: 'body_too_deep',
    category: 'other',
    text: 'The JSON is nested more than 64 levels deep.',
    fix: 'Send flat, top-level keys.',
  },
  {
    code: 'rate_limited_minute',
    category: 'rate_limit',
    text: 'The workspace sent more than 1,000 submissions within a minute on this surface.',
    fix: 'Spread the submissions out, and send those that were rejected again.',
  },
  {
    code: 'rate_limited_day',
    category: 'rate_limit',
    text: 'The workspace sent more than 50,000 submissions within a day on this surface.',
    fix: 'Send the rest when the window of 24 hours has passed.',
  },
] as const;

export type RejectionReason = (typeof rejectionReasons)[number]['code'];
export type RejectionCategory = (typeof rejectionReasons)[number]['category'];

const byCode = new Map<string, (typeof rejectionReasons)[number]>(
  rejectionReasons.map((row) => [row.code, row]),
);

export function rejectionCategory(reason: RejectionReason): RejectionCategory {
  return byCode.get(reason)?.category ?? 'other';
}

/** How an ingest request can end, as metrics count it: answered, rejected for a reason, or closed without an answer. */
export type IngestOutcome = 'accepted' | 'replayed' | 'unavailable' | 'fault' | RejectionReason;

export const ingestOutcomes: readonly IngestOutcome[] = [
  'accepted',
  'replayed',
  'unavailable',
  'fault',
  ...rejectionReasons.map(({ code }) => code),
];
