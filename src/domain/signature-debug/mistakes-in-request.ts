import type { MistakeRow } from './mistake-row.ts';

/** Mistakes with the headers, the timestamp and the body. */
export const mistakesInRequest = {
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
} as const satisfies Record<string, MistakeRow>;
