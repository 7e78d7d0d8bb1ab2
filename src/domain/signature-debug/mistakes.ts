/** Which step of signing a mistake was made in: it decides which lines of code the fix shows. */
export type SigningStep = 'headers' | 'timestamp' | 'body' | 'secret' | 'message' | 'digest' | 'signature';

/**
 * Every mistake the debugger can name: one closed table, grouped by the step of signing. The API, the docs and the
 * fixes read it. `found` tells how a mistake is recognised, for people who wonder how far to trust it.
 */
export const mistakes = {
  header_misnamed: {
    step: 'headers',
    title: 'The header has another name',
    found: 'A required header is missing, and another one with a similar name is there.',
    fix: 'Send the timestamp and the signature under exactly the names the service expects.',
  },
  timestamp_missing: {
    step: 'headers',
    title: 'No timestamp header',
    found: 'The header is missing.',
    fix: 'Send the time of signing, in Unix seconds, in the timestamp header.',
  },
  signature_missing: {
    step: 'headers',
    title: 'No signature header',
    found: 'The header is missing.',
    fix: 'Send the signature in the signature header.',
  },
  header_repeated: {
    step: 'headers',
    title: 'A header was sent more than once',
    found: 'The timestamp or signature header occurs twice; which one counts is never guessed.',
    fix: 'Send the timestamp header and the signature header exactly once each.',
  },
  timestamp_milliseconds: {
    step: 'timestamp',
    title: 'Milliseconds instead of seconds',
    found: 'The timestamp has 13 digits.',
    fix: 'Divide the time by 1000 and drop the fraction.',
  },
  timestamp_microseconds: {
    step: 'timestamp',
    title: 'Microseconds or nanoseconds instead of seconds',
    found: 'The timestamp has 16 or 19 digits.',
    fix: 'Divide the time by 1,000,000 (or 1,000,000,000) and drop the fraction.',
  },
  timestamp_fraction: {
    step: 'timestamp',
    title: 'A timestamp with a fraction',
    found: 'The timestamp is a number with a decimal point.',
    fix: 'Drop the fraction: send whole seconds.',
  },
  timestamp_as_date: {
    step: 'timestamp',
    title: 'A date instead of Unix seconds',
    found: 'The timestamp is a date in words or in the form of ISO 8601.',
    fix: 'Send Unix seconds: the number of seconds since 1970-01-01T00:00:00Z.',
  },
  timestamp_unreadable: {
    step: 'timestamp',
    title: 'The timestamp is not a number',
    found: 'The timestamp is neither 1 to 12 digits nor any other way of writing a time.',
    fix: 'Send 1 to 12 digits and nothing else: no sign, no blanks, no quotes.',
  },
  timestamp_local_time: {
    step: 'timestamp',
    title: 'Local time taken for UTC',
    found: 'The timestamp is off by whole or half hours, almost to the second.',
    fix: 'Take the time from a function that counts from 1970 in UTC, not from the parts of a local date.',
  },
  timestamp_ahead: {
    step: 'timestamp',
    title: 'The clock is ahead',
    found: 'The timestamp is more than 5 minutes after the time of arrival.',
    fix: "Set the sender's clock by NTP.",
  },
  timestamp_stale: {
    step: 'timestamp',
    title: 'The timestamp is too old',
    found: 'The timestamp is more than 5 minutes before the time of arrival.',
    fix: "Sign anew for every attempt, also when a request is sent again; if it was the first attempt, set the sender's clock by NTP.",
  },
  timestamp_differs: {
    step: 'timestamp',
    title: 'Another timestamp was signed than was sent',
    found:
      'The signature matches with the timestamp in another unit or notation, or up to 5 minutes earlier or later.',
    fix: 'Take the time once, keep it in a variable, and use that for the signature and for the header.',
  },
  body_reserialized: {
    step: 'body',
    title: 'A re-serialised copy of the body was signed',
    found:
      'The signature matches the same JSON written otherwise: compact, indented, with blanks as Python writes them, keys sorted, `/` or non-ASCII characters escaped.',
    fix: 'Serialise once, and sign and send those very bytes.',
  },
  body_line_ends: {
    step: 'body',
    title: 'A newline or blank too many or too few',
    found:
      'The signature matches with a newline added or removed at the end, other line ends, or trimmed blanks.',
    fix: 'Sign exactly what is sent. In a shell use printf, because echo adds a newline.',
  },
  body_charset: {
    step: 'body',
    title: 'The body was signed in another encoding',
    found:
      'The signature matches in Latin-1, UTF-16, with or without a byte order mark, encoded twice, or normalised otherwise.',
    fix: 'Encode the body as UTF-8 once, and sign and send those bytes.',
  },
  body_form_encoded: {
    step: 'body',
    title: 'Form data instead of JSON',
    found:
      'The signature matches the same fields as JSON while form data was sent, or the other way round; or the content type is that of a form.',
    fix: 'Send JSON with Content-Type: application/json, and sign that JSON.',
  },
  body_wrapped: {
    step: 'body',
    title: 'The body was encoded once more before it was signed',
    found: 'The signature matches the body as a JSON string, as base64, as hex, or percent-encoded.',
    fix: 'Sign the body as it is sent, without a further encoding.',
  },
  body_not_text: {
    step: 'body',
    title: 'Something else was signed in place of the body',
    found: 'The signature matches `[object Object]`, `undefined`, `null`, `Array`, `{}` or `[]`.',
    fix: 'Pass the bytes that are sent to the signing function, not an object.',
  },
  body_empty: {
    step: 'body',
    title: 'An empty body was signed',
    found: 'The signature matches with no body at all.',
    fix: 'Read the body before it is signed: the framework had already consumed the stream, or the variable was empty.',
  },
  body_changed: {
    step: 'body',
    title: 'The body was changed on the way',
    found: 'The signature matches the body that the sender says it sent, but not the one that arrived.',
    fix: 'Find the proxy, gateway or tool between sender and service that rewrites bodies, and make it pass them on as they are.',
  },
  secret_previous: {
    step: 'secret',
    title: 'The previous secret was used',
    found: 'The signature matches with the secret before the last rotation, whose overlap has ended.',
    fix: 'Put the current secret into the sender, or rotate with an overlap.',
  },
  secret_of_other_form: {
    step: 'secret',
    title: "Another form's secret was used",
    found: 'The signature matches with the secret of another form of the same workspace.',
    fix: 'Use the secret of the form the request is sent to, or send to the form the secret belongs to.',
  },
  secret_is_ingest_token: {
    step: 'secret',
    title: 'An ingest token was used as the secret',
    found: 'The signature matches with a token that the request carries or that you gave to try.',
    fix: "Sign with the form's webhook secret; the token belongs to the other surface, as Authorization: Bearer.",
  },
  secret_other: {
    step: 'secret',
    title: 'The secret you gave is not the one of this form',
    found: 'The signature matches with the secret that you gave to try, and with none that is stored.',
    fix: "Put the form's secret into the sender, or set the sender's secret in the form's Delivery settings.",
  },
  secret_is_identifier: {
    step: 'secret',
    title: 'An id was used as the secret',
    found: 'The signature matches with the id or slug of the form, or the id of the workspace.',
    fix: "Sign with the form's webhook secret, not with an id.",
  },
  secret_whitespace: {
    step: 'secret',
    title: 'A newline or blank at the end of the secret',
    found:
      'The signature matches with white space around the secret, or without the white space that belongs to it.',
    fix: 'Use the secret exactly as it was shown; files and environment variables like to add a newline.',
  },
  secret_quoted: {
    step: 'secret',
    title: 'Quotes around the secret',
    found: 'The signature matches with the secret in quotes.',
    fix: 'Remove the quotes around the secret.',
  },
  secret_prefix: {
    step: 'secret',
    title: 'The prefix of the secret was removed or added',
    found:
      'The signature matches with the secret without its prefix `whsec_`, or with one that does not belong to it.',
    fix: 'Use the whole secret as the key, with its prefix.',
  },
  secret_decoded: {
    step: 'secret',
    title: 'The secret was decoded first',
    found: 'The signature matches with the secret decoded from base64 or hex.',
    fix: "The key is the secret's text itself, in UTF-8; do not decode it.",
  },
  secret_encoded: {
    step: 'secret',
    title: 'The secret was encoded or hashed first',
    found: 'The signature matches with the secret in base64, hex, another case, Latin-1, or hashed.',
    fix: "The key is the secret's text itself, in UTF-8; neither encode nor hash it.",
  },
  secret_empty: {
    step: 'secret',
    title: 'The sender has no secret',
    found: 'The signature matches with an empty key, `undefined`, `null`, or a placeholder of an example.',
    fix: "Give the sender the form's secret; the variable that should hold it is not set.",
  },
  timestamp_not_signed: {
    step: 'message',
    title: 'The timestamp was not signed',
    found: 'The signature matches the body alone.',
    fix: 'Sign the timestamp, a dot, and the body.',
  },
  joiner_wrong: {
    step: 'message',
    title: 'Timestamp and body were joined otherwise',
    found: 'The signature matches with no dot, or with a colon, a newline or another sign in its place.',
    fix: 'Put exactly one dot between the timestamp and the body.',
  },
  order_wrong: {
    step: 'message',
    title: 'Body and timestamp in the wrong order',
    found: 'The signature matches the body followed by the timestamp.',
    fix: 'Put the timestamp first, then a dot, then the body.',
  },
  algorithm_wrong: {
    step: 'digest',
    title: 'Another hash function',
    found: 'The signature matches with HMAC over SHA-1, SHA-384, SHA-512, SHA-224, SHA3-256 or MD5.',
    fix: 'Use HMAC-SHA256.',
  },
  hash_without_key: {
    step: 'digest',
    title: 'A hash without a key',
    found: 'The signature is a plain SHA-256 of the body, or of timestamp and body; anybody could make it.',
    fix: 'Use HMAC-SHA256 with the secret as its key.',
  },
  hash_of_secret_and_message: {
    step: 'digest',
    title: 'A plain hash with the secret in the text',
    found: 'The signature is a plain SHA-256 of the secret joined with what is signed.',
    fix: 'Use HMAC-SHA256: the secret is its key and not a part of the text.',
  },
  key_and_message_swapped: {
    step: 'digest',
    title: 'Key and message are swapped',
    found: 'The signature matches an HMAC whose key is the message and whose message is the secret.',
    fix: 'Swap the two arguments: the secret is the key.',
  },
  digest_of_digest: {
    step: 'digest',
    title: 'A digest of a digest',
    found: 'The signature matches when the body, the message or the HMAC is hashed once more.',
    fix: 'Compute one HMAC over timestamp, dot and body; hash nothing before and nothing after.',
  },
  signature_base64: {
    step: 'signature',
    title: 'Base64 instead of hex',
    found: 'The value is base64 of as many bytes as a digest has.',
    fix: 'Send the digest as hex.',
  },
  signature_encoded_twice: {
    step: 'signature',
    title: 'The signature was encoded twice',
    found: 'The value is hex or base64 of a text that is hex itself.',
    fix: 'Encode the digest once, as hex.',
  },
  signature_prefix: {
    step: 'signature',
    title: 'Something stands before or after the signature',
    found:
      'A digest with `v1=`, `sha256:`, `t=…,v1=`, the name of the header, or the label that openssl prints.',
    fix: 'Send the 64 hex characters alone, or after `sha256=`.',
  },
  signature_decorated: {
    step: 'signature',
    title: 'Quotes or separators in the signature',
    found:
      "A digest in quotes, in Python's `b'…'`, after `0x`, percent-encoded, or with separators between its bytes.",
    fix: 'Send the 64 hex characters alone.',
  },
  signature_cut_off: {
    step: 'signature',
    title: 'The signature is cut off',
    found: 'The value is hex, but shorter than 64 characters.',
    fix: 'Send all 64 characters; a column or a variable may be too short for them.',
  },
} as const satisfies Record<string, MistakeRow>;

interface MistakeRow {
  readonly step: SigningStep;
  readonly title: string;
  readonly found: string;
  readonly fix: string;
}

export type MistakeCode = keyof typeof mistakes;
export const mistakeCodes = Object.keys(mistakes) as [MistakeCode, ...MistakeCode[]];

/** A mistake as it was made in one request; `says` is a clause without a full stop. */
export interface Finding {
  readonly code: MistakeCode;
  readonly says: string;
}
