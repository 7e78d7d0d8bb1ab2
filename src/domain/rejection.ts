import { webPageReasons } from './rejection/web-page-reasons.ts';

/**
 * What happened to the data: it was dropped because something is wrong, kept but altered, or dropped on purpose, by a
 * setting or a limit.
 */
export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];
export const severityTexts: Readonly<Record<Severity, string>> = {
  error: 'dropped',
  warning: 'kept, but altered or worth a look',
  info: 'dropped on purpose, by a setting or a limit',
};

/**
 * Every reason for which a submission can be rejected, in the order of the checks: the first that applies is
 * recorded. Responses, counts, metrics, the API and the docs all read this table; senders never see it. The anchor
 * names the section of docs/rejection-reasons.md and stays when a code is renamed, so that old links work.
 */
export const rejectionReasons = [
  {
    code: 'method_not_allowed',
    category: 'other',
    severity: 'info',
    anchor: 'method_not_allowed',
    text: 'The request is not a POST.',
    fix: 'Send the lead with POST.',
  },
  {
    code: 'body_too_large',
    category: 'other',
    severity: 'error',
    anchor: 'body_too_large',
    text: 'The body is larger than 128 KB (131,072 bytes).',
    fix: 'Leave out files and base64 attachments; send links to them instead.',
  },
  {
    code: 'encoding_unsupported',
    category: 'other',
    severity: 'error',
    anchor: 'encoding_unsupported',
    text: 'The request is compressed, or its HTTP framing cannot be read.',
    fix: 'Send the body uncompressed: no Content-Encoding, and no Transfer-Encoding other than chunked.',
  },
  {
    code: 'token_missing',
    category: 'other',
    severity: 'error',
    anchor: 'token_missing',
    text: 'The request has no Authorization header with a Bearer token.',
    fix: 'Send exactly one header: Authorization: Bearer ingt_srv_…',
  },
  {
    code: 'token_malformed',
    category: 'other',
    severity: 'error',
    anchor: 'token_malformed',
    text: 'The token does not have the format of an ingest token, or its checksum is wrong.',
    fix: 'Copy the token again; part of it was probably cut off.',
  },
  {
    code: 'token_unknown',
    category: 'other',
    severity: 'error',
    anchor: 'token_unknown',
    text: 'The token does not exist.',
    fix: 'Create a token under Ingest tokens and use it.',
  },
  {
    code: 'token_revoked',
    category: 'other',
    severity: 'error',
    anchor: 'token_revoked',
    text: 'The token was revoked or has expired.',
    fix: 'If the token was rotated, use its successor; otherwise create a new token.',
  },
  {
    code: 'token_wrong_type',
    category: 'other',
    severity: 'error',
    anchor: 'token_wrong_type',
    text: 'The token is of another kind than this surface uses.',
    fix: 'Backends use a token that starts with ingt_srv_. Web pages use the SDK, which gets its own.',
  },
  {
    code: 'token_form_mismatch',
    category: 'other',
    severity: 'error',
    anchor: 'token_form_mismatch',
    text: 'The browser token was signed for another form or workspace than its mint secret belongs to.',
    fix: 'Sign with the mint secret of the form that the token names.',
  },
  {
    code: 'form_unknown',
    category: 'other',
    severity: 'error',
    anchor: 'form_unknown',
    text: 'The form does not exist or was deleted.',
    fix: 'Check the slug in the URL, or create a token for an existing form.',
  },
  {
    code: 'slug_ambiguous',
    category: 'other',
    severity: 'error',
    anchor: 'slug_ambiguous',
    text: 'Forms in more than one workspace use this slug.',
    fix: 'Give the form a slug that no other workspace uses, and post to it.',
  },
  {
    code: 'sender_unsupported',
    category: 'other',
    severity: 'error',
    anchor: 'sender_unsupported',
    text: 'The request proves itself by the scheme of another sender, such as Typeform, which webhook URLs do not accept.',
    fix: 'Admit it under Held submissions, and send further leads with an ingest token or our signature.',
  },
  {
    code: 'workspace_suspended',
    category: 'other',
    severity: 'info',
    anchor: 'workspace_suspended',
    text: 'The workspace is suspended.',
    fix: 'Ask the operator to resume the workspace.',
  },
  {
    code: 'form_inactive',
    category: 'other',
    severity: 'info',
    anchor: 'form_inactive',
    text: 'The form is inactive.',
    fix: 'Activate the form.',
  },
  ...webPageReasons,
  {
    code: 'secret_not_configured',
    category: 'other',
    severity: 'error',
    anchor: 'secret_not_configured',
    text: 'The form has no webhook secret, so signatures cannot be checked.',
    fix: "Set a webhook secret in the form's Delivery settings.",
  },
  {
    code: 'timestamp_missing',
    category: 'other',
    severity: 'error',
    anchor: 'timestamp_missing',
    text: 'The timestamp header is missing.',
    fix: 'Send the time of signing, in Unix seconds, in the timestamp header.',
  },
  {
    code: 'timestamp_invalid',
    category: 'other',
    severity: 'error',
    anchor: 'timestamp_invalid',
    text: 'The timestamp is not a plain number of Unix seconds, or was sent more than once.',
    fix: 'Send 1 to 12 digits, for example 1765432100; divide milliseconds by 1000.',
  },
  {
    code: 'timestamp_outside_window',
    category: 'other',
    severity: 'error',
    anchor: 'timestamp_outside_window',
    text: "The timestamp differs from the server's time by more than 5 minutes.",
    fix: "Sign each attempt again, and check the sender's clock.",
  },
  {
    code: 'signature_missing',
    category: 'other',
    severity: 'error',
    anchor: 'signature_missing',
    text: 'The signature header is missing.',
    fix: 'Send the HMAC-SHA256 of "{timestamp}.{body}" in the signature header.',
  },
  {
    code: 'signature_malformed',
    category: 'other',
    severity: 'error',
    anchor: 'signature_malformed',
    text: 'The signature is not 64 hexadecimal characters, or was sent more than once.',
    fix: 'Send the digest as hex, with or without the prefix sha256=; not as base64.',
  },
  {
    code: 'signature_mismatch',
    category: 'other',
    severity: 'error',
    anchor: 'signature_mismatch',
    text: 'The signature does not match the timestamp and body that arrived.',
    fix: 'Check the secret, and sign the exact bytes that you send.',
  },
  {
    code: 'content_type_unsupported',
    category: 'other',
    severity: 'error',
    anchor: 'content_type_unsupported',
    text: 'The content type is not application/json in UTF-8.',
    fix: 'Send the header Content-Type: application/json.',
  },
  {
    code: 'idempotency_key_malformed',
    category: 'other',
    severity: 'error',
    anchor: 'idempotency_key_malformed',
    text: 'The idempotency key is empty, longer than 255 characters, not UTF-8, or was sent more than once.',
    fix: 'Send one key of 1 to 255 characters, or leave the header out.',
  },
  {
    code: 'idempotency_key_reused',
    category: 'other',
    severity: 'error',
    anchor: 'idempotency_key_reused',
    text: 'The idempotency key was used for a lead with another body. The sender got the response of that lead, and this body was not stored.',
    fix: 'Send a new key for each lead, and admit those that are held.',
  },
  {
    code: 'body_not_json',
    category: 'other',
    severity: 'error',
    anchor: 'body_not_json',
    text: 'The body is not valid JSON in UTF-8.',
    fix: 'Send valid JSON; let a JSON library encode it.',
  },
  {
    code: 'body_not_object',
    category: 'other',
    severity: 'error',
    anchor: 'body_not_object',
    text: 'The body is JSON, but not an object.',
    fix: 'Send one object per request, for example {"email":"ada@example.com"}.',
  },
  {
    code: 'body_too_deep',
    category: 'other',
    severity: 'error',
    anchor: 'body_too_deep',
    text: 'The JSON is nested more than 64 levels deep.',
    fix: 'Send flat, top-level keys.',
  },
  {
    code: 'token_replayed',
    category: 'other',
    severity: 'error',
    anchor: 'token_replayed',
    text: 'The browser token was used before, for a lead with another body.',
    fix: 'Get a new token for each lead.',
  },
  {
    code: 'rate_limited_minute',
    category: 'rate_limit',
    severity: 'info',
    anchor: 'rate_limited_minute',
    text: 'The workspace sent more than 1,000 submissions within a minute on this surface.',
    fix: 'Spread the submissions out, and send the rejected ones again.',
  },
  {
    code: 'rate_limited_day',
    category: 'rate_limit',
    severity: 'info',
    anchor: 'rate_limited_day',
    text: 'The workspace sent more than 50,000 submissions within a day on this surface.',
    fix: 'Send the rest when the 24-hour window has passed.',
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

interface ReasonDescription {
  readonly reason: RejectionReason;
  readonly category: RejectionCategory;
  readonly severity: Severity;
  readonly anchor: string;
  readonly text: string;
  readonly fix: string;
}

/** The row of a reason. One that only an older version knew has no text. */
export function describeReason(code: string): ReasonDescription {
  const unknown = { category: 'other', severity: 'error', anchor: '', text: '', fix: '' } as const;
  const { category, severity, anchor, text, fix } = byCode.get(code) ?? unknown;
  return { reason: code as RejectionReason, category, severity, anchor, text, fix };
}

/** How an ingest request can end, as metrics count it. `unavailable` and `fault` close the connection without a response. */
export type IngestOutcome = (typeof otherOutcomes)[number] | RejectionReason;

const otherOutcomes = ['accepted', 'replayed', 'unavailable', 'fault'] as const;
export const ingestOutcomes: readonly IngestOutcome[] = [
  ...otherOutcomes,
  ...rejectionReasons.map(({ code }) => code),
];
