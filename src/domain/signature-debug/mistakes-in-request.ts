import type { MistakeRow } from './mistake-row.ts';

/** Mistakes in the headers, the timestamp and the body. */
export const mistakesInRequest = {
  header_misnamed: {
    step: 'headers',
    title: 'Wrong header name',
    found: 'A required header is missing, but one with a similar name is present.',
    fix: 'Send the timestamp and the signature under exactly the names that the service expects.',
  },
  timestamp_missing: {
    step: 'headers',
    title: 'Missing timestamp header',
    found: 'The header is missing.',
    fix: 'Send the time of signing in the timestamp header, in Unix seconds.',
  },
  signature_missing: {
    step: 'headers',
    title: 'Missing signature header',
    found: 'The header is missing.',
    fix: 'Send the signature in the signature header.',
  },
  header_repeated: {
    step: 'headers',
    title: 'Header sent more than once',
    found: 'The timestamp or signature header occurs more than once, so it is unclear which one counts.',
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
    title: 'Timestamp with a fraction',
    found: 'The timestamp is a number with a decimal point.',
    fix: 'Drop the fraction: send whole seconds.',
  },
  timestamp_as_date: {
    step: 'timestamp',
    title: 'A date instead of Unix seconds',
    found: 'The timestamp is a date, in words or in ISO 8601 format.',
    fix: 'Send Unix seconds: the number of seconds since 1970-01-01T00:00:00Z.',
  },
  timestamp_unreadable: {
    step: 'timestamp',
    title: 'Timestamp is not a number',
    found: 'The timestamp is neither 1 to 12 digits nor a time in any other notation.',
    fix: 'Send 1 to 12 digits and nothing else: no sign, spaces or quotes.',
  },
  timestamp_local_time: {
    step: 'timestamp',
    title: 'Local time instead of UTC',
    found: 'The timestamp is off by whole or half hours, almost to the second.',
    fix: 'Use a function that returns Unix time, which is always UTC; do not build it from a local date.',
  },
  timestamp_ahead: {
    step: 'timestamp',
    title: 'Clock is ahead',
    found: 'The timestamp is more than 5 minutes in the future when the request arrives.',
    fix: "Synchronise the sender's clock with NTP.",
  },
  timestamp_stale: {
    step: 'timestamp',
    title: 'Timestamp is too old',
    found: 'The timestamp is more than 5 minutes old when the request arrives.',
    fix: "Sign every attempt again with the current time, including retries. If this was the first attempt, synchronise the sender's clock with NTP.",
  },
  timestamp_differs: {
    step: 'timestamp',
    title: 'Signed timestamp differs from the sent one',
    found:
      'The signature matches with the timestamp in another unit or notation, or up to 5 minutes earlier or later.',
    fix: 'Read the time once, store it in a variable, and use that for both the signature and the header.',
  },
  body_reserialized: {
    step: 'body',
    title: 'Re-serialised copy of the body was signed',
    found:
      'The signature matches the same JSON in another format: compact, indented, with spaces like Python, with sorted keys, or with `/` or non-ASCII characters escaped.',
    fix: 'Serialise once, then sign and send exactly those bytes.',
  },
  body_line_ends: {
    step: 'body',
    title: 'Extra or missing newline or space',
    found:
      'The signature matches with a newline added or removed at the end, other line endings, or trimmed whitespace.',
    fix: 'Sign exactly what is sent. In a shell, use printf: echo adds a newline.',
  },
  body_charset: {
    step: 'body',
    title: 'Body was signed in another encoding',
    found:
      'The signature matches the body in Latin-1 or UTF-16, with or without a byte order mark, encoded twice, or in another Unicode normal form.',
    fix: 'Encode the body as UTF-8 once, then sign and send those bytes.',
  },
  body_form_encoded: {
    step: 'body',
    title: 'Form data instead of JSON',
    found:
      'The signature matches the same fields as JSON although form data was sent, or vice versa; or the content type is that of a form.',
    fix: 'Send JSON with Content-Type: application/json, and sign that JSON.',
  },
  body_wrapped: {
    step: 'body',
    title: 'Body was encoded again before signing',
    found: 'The signature matches the body as a JSON string, as base64, as hex, or percent-encoded.',
    fix: 'Sign the body exactly as sent, without encoding it again.',
  },
  body_not_text: {
    step: 'body',
    title: 'Something else was signed instead of the body',
    found: 'The signature matches `[object Object]`, `undefined`, `null`, `Array`, `{}` or `[]`.',
    fix: 'Pass the sent bytes to the signing function, not an object.',
  },
  body_empty: {
    step: 'body',
    title: 'Empty body was signed',
    found: 'The signature matches an empty body.',
    fix: 'Read the body before signing: the framework has already consumed the stream, or the variable is empty.',
  },
  body_changed: {
    step: 'body',
    title: 'Body was changed in transit',
    found: 'The signature matches the body that the sender says it sent, but not the one that arrived.',
    fix: 'Find the proxy, gateway or tool between sender and service that rewrites bodies, and make it pass them on unchanged.',
  },
} as const satisfies Record<string, MistakeRow>;
