import type { RejectionReason } from '../../src/domain/rejection.ts';
import { type BrowserReason, browserReasonNotes } from './browser-reason-notes.ts';
import type { ReasonNotes } from './reason-note.ts';

const token = '[Ingest token](server-token.md)';
const webhook = '[Webhook](webhook.md)';
const signing = ['[Signing leads](signing.md)', '[Signature debugger](signature-debugger.md)'];
const relay = '[Relay](recipes/relay.md)';
const limits = '[Limits](limits.md)';
const afterWindow = 'unchanged, once the window has passed';

const otherReasonNotes: ReasonNotes<Exclude<RejectionReason, BrowserReason>> = {
  method_not_allowed: {
    group: 'Request',
    surfaces: 'all',
    causes: [
      'Someone opened the URL in a browser, or a tool tests webhook URLs with GET or HEAD.',
      'A redirect, for example from http to https, turned the POST into a GET.',
    ],
    see: [token],
  },
  body_too_large: {
    group: 'Request',
    surfaces: 'all',
    causes: ['The body includes a file upload as base64.', 'A whole history or export was sent as one lead.'],
    see: [limits],
  },
  encoding_unsupported: {
    group: 'Request',
    surfaces: 'all',
    causes: [
      'The HTTP client compresses bodies by default (`Content-Encoding: gzip`).',
      'A proxy breaks the HTTP framing.',
    ],
    see: [limits],
  },
  token_missing: {
    group: 'Token',
    surfaces: 'server and browser',
    causes: [
      'The header has another name, or the word `Bearer` is missing.',
      'A redirect to another host dropped the `Authorization` header, as most clients do.',
      'The header was sent twice: once by the tool and once as a custom header.',
    ],
    see: [token],
  },
  token_malformed: {
    group: 'Token',
    surfaces: 'server and browser',
    causes: [
      'Part of the token was cut off when it was copied.',
      'The copy includes quotes, a space or a line break.',
    ],
    see: [token],
  },
  token_unknown: {
    group: 'Token',
    surfaces: 'server and browser',
    causes: [
      'The token belongs to another installation, for example a test system.',
      'The data directory was reset after the token was created.',
    ],
    see: [token],
  },
  token_revoked: {
    group: 'Token',
    surfaces: 'server and browser',
    causes: [
      'Someone revoked the token under Ingest tokens; the audit log says who.',
      'The token was created with an expiry date, and that date has passed.',
    ],
    see: ['[Audit log](accounts.md#audit-log)', token],
  },
  token_wrong_type: {
    group: 'Token',
    surfaces: 'server and browser',
    causes: [
      'A server uses a browser token (`ingt_br_…`).',
      'A server uses an API key (`lgk_…`), which is for the management API and cannot send leads.',
    ],
    see: [token],
  },
  form_unknown: {
    group: 'Form and workspace',
    surfaces: 'all',
    causes: [
      "The slug in the URL is misspelt, or it was changed in the form's settings.",
      'The form that the token belongs to was deleted.',
    ],
    see: [webhook],
  },
  slug_ambiguous: {
    group: 'Form and workspace',
    surfaces: 'webhook',
    causes: [
      'An operator allowed two workspaces to use the same slug, so Leadgate cannot tell which one a lead is for.',
    ],
    see: [webhook],
  },
  workspace_suspended: {
    group: 'Form and workspace',
    surfaces: 'all',
    causes: ['An operator suspended the workspace; the settings area shows when and why.'],
    see: ['[People, roles and operators](accounts.md)'],
  },
  sender_unsupported: {
    group: 'Form and workspace',
    surfaces: 'webhook',
    causes: [
      "A tool such as Typeform, Webflow or Google Ads posts to the form's webhook URL. It has the right secret, but signs in its own way.",
    ],
    see: ['[Held submissions](held.md#calls-of-known-senders)', '[Alarms](alarms.md)'],
  },
  form_inactive: {
    group: 'Form and workspace',
    surfaces: 'all',
    causes: ['The form was deactivated in its settings, and a sender still uses it.'],
    see: ['[The settings area](settings-area.md)'],
  },
  secret_not_configured: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      'The form is new and has no secret yet.',
      'The secret was removed. Leadgate does not accept unsigned webhooks.',
    ],
    see: [webhook],
  },
  timestamp_missing: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      "The sender uses another service's signature scheme and needs a relay.",
      'A proxy strips headers it does not know.',
    ],
    see: [...signing, relay],
  },
  timestamp_invalid: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      'The timestamp is in milliseconds instead of seconds.',
      'The timestamp is a date as text, or a number with a fraction.',
    ],
    see: signing,
  },
  timestamp_outside_window: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      "The sender's clock is wrong.",
      'A queue retries an old request unchanged, with its old timestamp.',
      'A time zone offset was added to the Unix time, which has none.',
    ],
    retry: 'with a new timestamp and signature',
    see: signing,
  },
  signature_missing: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      'The sender cannot sign requests and needs a relay.',
      'The header has another name; its prefix is configurable.',
    ],
    see: [...signing, relay],
  },
  signature_malformed: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      'The digest was sent as base64.',
      'The digest has a prefix such as `v1=`, or part of it was cut off.',
    ],
    see: signing,
  },
  signature_mismatch: {
    group: 'Signature',
    surfaces: 'webhook',
    causes: [
      'The body was parsed and serialised again between signing and sending.',
      'Only the body was signed, without the timestamp and the dot.',
      'The secret is wrong: it belongs to another form, or was replaced by a rotation without overlap.',
    ],
    see: signing,
  },
  content_type_unsupported: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: [
      'A form was posted as `application/x-www-form-urlencoded` or `multipart/form-data`.',
      '`curl -d` was used without a `Content-Type` header.',
    ],
    see: ['[Plain HTML form](recipes/html-form.md)'],
  },
  idempotency_key_malformed: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: ['The variable for the key was empty.', 'A whole body or URL was used as the key.'],
    see: ['[Idempotency](idempotency.md)'],
  },
  idempotency_key_reused: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: [
      'The sender puts a constant into the header, such as its token or an API key.',
      'The key names a person or a day, not a lead.',
    ],
    see: ['[Idempotency](idempotency.md)', '[Held submissions](held.md)'],
  },
  body_not_json: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: [
      'A template left a quote or line break unescaped.',
      'The body is empty.',
      'The text is not UTF-8.',
    ],
    see: [limits],
  },
  body_not_object: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: [
      'Several leads were sent as a list.',
      'The JSON was encoded twice, so the body is one JSON string.',
    ],
    see: [limits],
  },
  body_too_deep: {
    group: 'Headers and body',
    surfaces: 'all',
    causes: ['A whole document tree was sent.', 'The body was built to attack JSON parsers.'],
    see: [limits],
  },
  rate_limited_minute: {
    group: 'Rate limits',
    surfaces: 'all',
    causes: [
      'An import sends as fast as it can.',
      'After an outage, the sender retries many stored leads at the same time.',
    ],
    retry: afterWindow,
    see: [limits],
  },
  rate_limited_day: {
    group: 'Rate limits',
    surfaces: 'all',
    causes: [
      'An import has more than 50,000 leads.',
      'The sender is in a loop, or bots have found the form.',
    ],
    retry: afterWindow,
    see: [limits],
  },
};

export const reasonNotes: ReasonNotes<RejectionReason> = { ...otherReasonNotes, ...browserReasonNotes };
