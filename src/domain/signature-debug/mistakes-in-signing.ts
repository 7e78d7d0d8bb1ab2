import type { MistakeRow } from './mistake-row.ts';

/** Mistakes in the secret, in what is signed and how, and in how the signature is written. */
export const mistakesInSigning = {
  secret_previous: {
    step: 'secret',
    title: 'Previous secret was used',
    found: 'The signature matches with the secret from before the last rotation, whose overlap has ended.',
    fix: 'Configure the current secret in the sender. Next time, rotate with an overlap.',
  },
  secret_of_other_form: {
    step: 'secret',
    title: "Another form's secret was used",
    found: 'The signature matches with the secret of another form in the same workspace.',
    fix: 'Use the secret of the form the request is sent to, or send to the form the secret belongs to.',
  },
  secret_is_ingest_token: {
    step: 'secret',
    title: 'Ingest token was used as the secret',
    found: 'The signature matches with a token from the request, or with one that you entered.',
    fix: "Sign with the form's webhook secret. Tokens are for the token surface, as Authorization: Bearer.",
  },
  secret_other: {
    step: 'secret',
    title: "The secret you entered is not this form's secret",
    found: 'The signature matches with the secret you entered, but with no stored secret.',
    fix: "Configure the form's secret in the sender, or set the sender's secret in the form's Delivery settings.",
  },
  secret_is_identifier: {
    step: 'secret',
    title: 'ID was used as the secret',
    found: 'The signature matches with the ID or slug of the form, or the ID of the workspace.',
    fix: "Sign with the form's webhook secret, not with an ID.",
  },
  secret_whitespace: {
    step: 'secret',
    title: 'Whitespace around the secret',
    found: 'The signature matches with whitespace added to the secret, or with its own whitespace removed.',
    fix: 'Use the secret exactly as shown. Files and environment variables often add a newline.',
  },
  secret_quoted: {
    step: 'secret',
    title: 'Quotes around the secret',
    found: 'The signature matches with the secret in quotes.',
    fix: 'Remove the quotes around the secret.',
  },
  secret_prefix: {
    step: 'secret',
    title: 'Prefix of the secret was removed or added',
    found:
      'The signature matches with the secret without its prefix, or with a prefix that is not part of it.',
    fix: 'Use the whole secret as the key, including its prefix.',
  },
  secret_decoded: {
    step: 'secret',
    title: 'Secret was decoded first',
    found: 'The signature matches with the secret decoded from base64 or hex.',
    fix: 'The key is the text of the secret in UTF-8. Do not decode it.',
  },
  secret_encoded: {
    step: 'secret',
    title: 'Secret was encoded or hashed first',
    found: 'The signature matches with the secret in base64, hex, another case, Latin-1, or hashed.',
    fix: 'The key is the text of the secret in UTF-8. Do not encode or hash it.',
  },
  secret_empty: {
    step: 'secret',
    title: 'Sender has no secret',
    found: 'The signature matches with an empty key, `undefined`, `null`, or a placeholder from an example.',
    fix: "Configure the form's secret in the sender: the variable for it is not set.",
  },
  timestamp_not_signed: {
    step: 'message',
    title: 'Timestamp was not signed',
    found: 'The signature matches the body alone.',
    fix: 'Sign the timestamp, a dot and the body.',
  },
  joiner_wrong: {
    step: 'message',
    title: 'Wrong separator between timestamp and body',
    found: 'The signature matches without the dot, or with a colon, a newline or another character instead.',
    fix: 'Put exactly one dot between the timestamp and the body.',
  },
  order_wrong: {
    step: 'message',
    title: 'Timestamp and body in the wrong order',
    found: 'The signature matches the body followed by the timestamp.',
    fix: 'Put the timestamp first, then a dot, then the body.',
  },
  algorithm_wrong: {
    step: 'digest',
    title: 'Wrong hash function',
    found: 'The signature matches an HMAC with SHA-1, SHA-384, SHA-512, SHA-224, SHA3-256 or MD5.',
    fix: 'Use HMAC-SHA256.',
  },
  hash_without_key: {
    step: 'digest',
    title: 'Hash without a key',
    found: 'The signature is a plain SHA-256 of the body, or of timestamp and body. Anyone could create it.',
    fix: 'Use HMAC-SHA256 with the secret as the key.',
  },
  hash_of_secret_and_message: {
    step: 'digest',
    title: 'Secret hashed as part of the text',
    found: 'The signature is a plain SHA-256 of the secret and the signed text.',
    fix: 'Use HMAC-SHA256: the secret is the key, not part of the text.',
  },
  key_and_message_swapped: {
    step: 'digest',
    title: 'Key and message are swapped',
    found: 'The signature matches an HMAC with the message as the key and the secret as the message.',
    fix: 'Swap the two arguments: the secret is the key.',
  },
  digest_of_digest: {
    step: 'digest',
    title: 'Digest of a digest',
    found: 'The signature matches if the body, the message or the HMAC is hashed once more.',
    fix: 'Compute one HMAC over timestamp, dot and body. Hash nothing before or after.',
  },
  signature_base64: {
    step: 'signature',
    title: 'Base64 instead of hex',
    found: 'The value is base64 and has the length of a digest.',
    fix: 'Send the digest as hex.',
  },
  signature_encoded_twice: {
    step: 'signature',
    title: 'Signature was encoded twice',
    found: 'The value is hex or base64 of a text that is already hex.',
    fix: 'Encode the digest once, as hex.',
  },
  signature_prefix: {
    step: 'signature',
    title: 'Text before or after the signature',
    found:
      'The digest comes with `v1=`, `sha256:`, `t=…,v1=`, the header name, or the label that openssl prints.',
    fix: 'Send only the 64 hex characters, optionally after `sha256=`.',
  },
  signature_decorated: {
    step: 'signature',
    title: 'Quotes or separators in the signature',
    found:
      "The digest is in quotes, in Python's `b'…'`, after `0x`, percent-encoded, or has separators between its bytes.",
    fix: 'Send only the 64 hex characters.',
  },
  signature_cut_off: {
    step: 'signature',
    title: 'Signature is truncated',
    found: 'The value is hex but shorter than 64 characters.',
    fix: 'Send all 64 characters. A database column or variable may be too short.',
  },
} as const satisfies Record<string, MistakeRow>;
