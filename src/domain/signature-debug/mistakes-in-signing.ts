import type { MistakeRow } from './mistake-row.ts';

/** Mistakes with the secret, what is signed, how, and how the result is written. */
export const mistakesInSigning = {
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
