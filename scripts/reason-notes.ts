import type { RejectionReason } from '../src/domain/rejection.ts';

export interface ReasonNote {
  readonly surfaces: 'both' | 'server' | 'webhook';
  /** What mostly lies behind it. */
  readonly causes: readonly string[];
  /** Where to read on: label and file below docs. */
  readonly see: readonly (readonly [string, string])[];
}

const token = [['Server token', 'server-token.md']] as const;
const webhook = [['Webhook', 'webhook.md']] as const;
const signing = [
  ['Signing leads', 'signing.md'],
  ['Signature debugger', 'signature-debugger.md'],
] as const;
const limits = [['Limits', 'limits.md']] as const;

/** What the pages of the reasons say beyond the table. */
export const reasonNotes: Readonly<Record<RejectionReason, ReasonNote>> = {
  method_not_allowed: {
    surfaces: 'both',
    causes: [
      'The address was opened in a browser, or a tool tests a webhook address with GET or HEAD.',
      'A redirect, for example from http to https, turned the POST into a GET.',
    ],
    see: token,
  },
  body_too_large: {
    surfaces: 'both',
    causes: [
      'An upload field of the form was sent along as base64.',
      'A whole history or export was sent as one lead.',
    ],
    see: limits,
  },
  encoding_unsupported: {
    surfaces: 'both',
    causes: [
      'The client compresses bodies by itself (Content-Encoding: gzip).',
      'A proxy in between damages the HTTP framing.',
    ],
    see: limits,
  },
  token_missing: {
    surfaces: 'server',
    causes: [
      'The header is called otherwise, or the word Bearer is missing.',
      'A redirect to another host dropped the Authorization header, as most clients do.',
      'The header was sent twice: by the tool itself and as a header of your own.',
    ],
    see: token,
  },
  token_malformed: {
    surfaces: 'server',
    causes: [
      'A part was cut off when the token was copied.',
      'Quotes, a space or a line break were copied along.',
    ],
    see: token,
  },
  token_unknown: {
    surfaces: 'server',
    causes: [
      'The token is that of another installation, for example of a test system.',
      'The data directory was reset since it was made.',
    ],
    see: token,
  },
  token_revoked: {
    surfaces: 'server',
    causes: [
      'Somebody revoked it under Ingest tokens; the audit log says who.',
      'It was made with an expiry date, which has passed.',
    ],
    see: [['People, roles and the audit log', 'accounts.md'], ...token],
  },
  token_wrong_type: {
    surfaces: 'server',
    causes: ['A browser token (ingt_br_…) was used by a server.'],
    see: token,
  },
  form_unknown: {
    surfaces: 'both',
    causes: [
      'The slug in the address is misspelt, or was changed in the settings of the form.',
      'The form of the token was deleted.',
    ],
    see: webhook,
  },
  slug_ambiguous: {
    surfaces: 'webhook',
    causes: [
      'An operator allowed two workspaces to use the same slug, so that nobody can tell whose lead it is.',
    ],
    see: webhook,
  },
  workspace_suspended: {
    surfaces: 'both',
    causes: ['The operator suspended the workspace; the settings area shows since when and why.'],
    see: [['People, roles and operators', 'accounts.md']],
  },
  form_inactive: {
    surfaces: 'both',
    causes: ['The form was switched off in its settings, and a sender still uses it.'],
    see: [['The settings area', 'settings-area.md']],
  },
  secret_not_configured: {
    surfaces: 'webhook',
    causes: [
      'The form is new, and nobody has made its secret yet.',
      'The secret was removed. There is no mode without a signature.',
    ],
    see: webhook,
  },
  timestamp_missing: {
    surfaces: 'webhook',
    causes: [
      'The sender signs in a way of its own, such as that of another service, and needs a relay.',
      'A proxy removes headers it does not know.',
    ],
    see: [...signing, ['Relay', 'recipes/relay.md']],
  },
  timestamp_invalid: {
    surfaces: 'webhook',
    causes: ['Milliseconds instead of seconds.', 'A date as text, or a number with a fraction.'],
    see: signing,
  },
  timestamp_outside_window: {
    surfaces: 'webhook',
    causes: [
      "The sender's clock is wrong.",
      'A queue repeats an old request as it was, with its old timestamp.',
      'A time zone was added to the Unix time, which has none.',
    ],
    see: signing,
  },
  signature_missing: {
    surfaces: 'webhook',
    causes: [
      'The sender cannot sign, and posts to the address of the form all the same.',
      'The header has another name; its prefix can be configured.',
    ],
    see: [...signing, ['Relay', 'recipes/relay.md']],
  },
  signature_malformed: {
    surfaces: 'webhook',
    causes: [
      'The digest was sent as base64.',
      'Something stands before the digest, such as v1=, or it was cut off.',
    ],
    see: signing,
  },
  signature_mismatch: {
    surfaces: 'webhook',
    causes: [
      'The body was parsed and written anew between signing and sending.',
      'Only the body was signed, without timestamp and dot.',
      'Another secret: that of another form, or the one before a rotation without overlap.',
    ],
    see: signing,
  },
  content_type_unsupported: {
    surfaces: 'both',
    causes: [
      'A form was posted as application/x-www-form-urlencoded or multipart/form-data.',
      'curl -d without a Content-Type header.',
    ],
    see: [['Plain HTML form', 'recipes/html-form.md']],
  },
  idempotency_key_malformed: {
    surfaces: 'both',
    causes: ['A variable for the key was empty.', 'A whole body or URL was used as the key.'],
    see: [['Idempotency', 'idempotency.md']],
  },
  body_not_json: {
    surfaces: 'both',
    causes: [
      'A template put an unescaped quote or line break into the JSON.',
      'The body is empty.',
      'The text is not UTF-8.',
    ],
    see: limits,
  },
  body_not_object: {
    surfaces: 'both',
    causes: ['A list of leads was sent at once.', 'The JSON was encoded twice, so that it is a string.'],
    see: limits,
  },
  body_too_deep: {
    surfaces: 'both',
    causes: ['A whole document tree was sent along.', 'The body was made to harm parsers.'],
    see: limits,
  },
  rate_limited_minute: {
    surfaces: 'both',
    causes: [
      'An import sends as fast as it can.',
      'Many stored leads are repeated at once after an outage of the sender.',
    ],
    see: limits,
  },
  rate_limited_day: {
    surfaces: 'both',
    causes: [
      'An import of more than 50,000 leads.',
      'A loop in the sender, or a form that robots have found.',
    ],
    see: limits,
  },
};
