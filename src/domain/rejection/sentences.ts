import { duration } from '../diagnostics/duration.ts';
import type { RejectionReason } from '../rejection.ts';
import { senderName } from '../senders/kinds.ts';

/** What a sentence about one rejected request may name. */
export interface SentenceFacts {
  /** Recorded with the rejection; some values are those of the sender. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The names of the form and the token, if they are known. */
  readonly form?: string | null | undefined;
  readonly token?: string | null | undefined;
}

type Sentence = (facts: Reader) => string;

const charactersMax = 120;

/** One sentence for each reason, with the values of the request. */
const sentences: Readonly<Record<RejectionReason, Sentence>> = {
  method_not_allowed: ({ has, text }) =>
    has('method') ? `The request was a ${text('method')}, not a POST.` : 'The request was not a POST.',
  body_too_large: ({ number }) =>
    number('bytes') === null
      ? 'The body is larger than 131,072 bytes.'
      : `The body had ${numberText(number('bytes'))} bytes; at most 131,072 are accepted.`,
  encoding_unsupported({ has, text }) {
    if (has('encoding'))
      return `The body was sent with Content-Encoding: ${text('encoding')}, which is not supported.`;
    if (has('transfer_encoding'))
      return `The body was sent with Transfer-Encoding: ${text('transfer_encoding')}, which is not supported.`;
    return 'The body was compressed, or its HTTP framing could not be read.';
  },
  token_missing: () => 'The request had no Authorization header with a Bearer token.',
  token_malformed: ({ is }) =>
    is('repeated')
      ? 'The Authorization header was sent more than once.'
      : 'The token did not have the format of an ingest token, or its checksum was wrong.',
  token_unknown: () => 'The token does not exist.',
  token_revoked({ is, has, time, token }) {
    if (has('replaced_by')) return `${token} was rotated, and stopped working on ${time('grace_ended_at')}.`;
    if (is('mint_secret_ended')) return 'The browser token was signed with a mint secret that has ended.';
    return `${token} ${is('expired') ? 'has expired' : 'was revoked'}.`;
  },
  token_wrong_type({ text }) {
    const kinds: Record<string, string> = {
      api_key: 'an API key (lgk_…), which cannot send leads',
      browser: 'a browser token (ingt_br_…), which only web pages use',
      server: 'an ingest token (ingt_srv_…), which web pages must not use',
    };
    return `The request was sent with ${kinds[text('type')] ?? 'a token of another kind'}.`;
  },
  token_form_mismatch: () =>
    'The browser token names another form or workspace than the mint secret that signed it.',
  form_unknown: ({ has, text, form }) =>
    has('former_slug')
      ? `The request was sent to the slug “${text('former_slug')}”, which ${form} no longer has.`
      : 'The form does not exist or was deleted.',
  slug_ambiguous: () => 'Forms in more than one workspace use the slug of this request.',
  sender_unsupported: ({ text }) =>
    `${senderName(text('sender'))} sent the request and proved itself by its own scheme, which webhook URLs do not accept.`,
  workspace_suspended: () => 'The workspace was suspended when the request arrived.',
  form_inactive: ({ form }) => `${capital(form)} was inactive when the request arrived.`,
  browser_disabled: ({ form }) => `${capital(form)} accepts no leads from web pages.`,
  origin_missing({ is }) {
    if (is('repeated')) return 'The Origin header was sent more than once.';
    return is('null') ? 'The origin of the page was null.' : 'The request had no Origin header.';
  },
  origin_not_allowed: ({ is, text, form }) =>
    is('in_list')
      ? `The page at ${text('origin', 'another origin')} used a token that was created for another origin.`
      : `The origin ${text('origin', 'of the page')} is not in the list of ${form}.`,
  mint_limited: ({ is }) =>
    is('no_script')
      ? 'The network or the form sent more forms without script than is allowed in a minute.'
      : 'The network or the form asked for more tokens than is allowed in a minute.',
  challenge_failed: () => 'The challenge was not solved, was used before, or had expired.',
  token_expired({ number }) {
    const [late, early] = [number('expired_seconds'), number('ahead_seconds')];
    if (early !== null) return `The browser token was issued ${duration(early)} in the future.`;
    return late === null
      ? 'The browser token had expired.'
      : `The browser token had expired ${duration(late)} before.`;
  },
  token_body_mismatch: () => 'The browser token was created for another body.',
  secret_not_configured: ({ form }) =>
    `${capital(form)} had no webhook secret, so the signature was not checked.`,
  timestamp_missing: () => 'The timestamp header was missing.',
  timestamp_invalid: ({ is }) =>
    is('repeated')
      ? 'The timestamp header was sent more than once.'
      : 'The timestamp was not a plain number of Unix seconds.',
  timestamp_outside_window({ number, is }) {
    const drift = number('drift_seconds');
    const signed = is('signature_valid') ? ' The signature itself matches.' : '';
    if (drift === null) return `The timestamp differs from our clock by more than 5 min.${signed}`;
    const side = drift > 0 ? 'ahead of' : 'behind';
    return `The timestamp was ${duration(Math.abs(drift))} ${side} our clock; 5 min is allowed.${signed}`;
  },
  signature_missing: () => 'The signature header was missing.',
  signature_malformed({ is, number }) {
    if (is('repeated')) return 'The signature header was sent more than once.';
    const characters = number('characters');
    return characters === null || characters === 64
      ? 'The signature is not 64 hexadecimal characters.'
      : `The signature has ${numberText(characters)} characters; 64 are expected.`;
  },
  signature_mismatch: ({ form }) =>
    `The signature did not match the timestamp and body with the secret of ${form}.`,
  content_type_unsupported({ has, is, text }) {
    if (is('repeated')) return 'The Content-Type header was sent more than once.';
    if (is('content_type', 'malformed')) return 'The Content-Type header was not a single media type.';
    if (has('content_type'))
      return `The content type was ${text('content_type')}, not application/json in UTF-8.`;
    return is('content_type', '')
      ? 'The request had no Content-Type header.'
      : 'The content type is not application/json in UTF-8.';
  },
  idempotency_key_reused: () =>
    'The idempotency key was used for a lead with another body, so the sender got the response of that lead.',
  idempotency_key_malformed({ is, number }) {
    if (is('repeated')) return 'The idempotency key was sent more than once.';
    const characters = number('characters');
    if (characters === 0) return 'The idempotency key was empty.';
    return characters !== null && characters > 255
      ? `The idempotency key had ${numberText(characters)} characters; at most 255 are allowed.`
      : 'The idempotency key was empty, too long, or not UTF-8.';
  },
  body_not_json: ({ number }) =>
    number('bytes') === 0
      ? 'The body was empty.'
      : `The body${size(number('bytes'))} is not valid JSON in UTF-8.`,
  body_not_object: ({ text }) =>
    `The body was ${text('found', 'JSON, but not an object')}; a lead is one object.`,
  body_too_deep: ({ number }) => `The JSON${size(number('bytes'))} was nested more than 64 levels deep.`,
  token_replayed: () => 'The browser token was used before, for a lead with another body.',
  rate_limited_minute: () =>
    'The workspace had sent more than 1,000 submissions within a minute on this surface.',
  rate_limited_day: () => 'The workspace had sent more than 50,000 submissions within a day on this surface.',
};

/** Why this request was rejected. Empty for a reason that only an older version knew. */
export function rejectionSentence(reason: string, facts: SentenceFacts): string {
  return Object.hasOwn(sentences, reason) ? sentences[reason as RejectionReason](readerOf(facts)) : '';
}

interface Reader {
  has(name: string): boolean;
  /** True, or that text. */
  is(name: string, wanted?: unknown): boolean;
  number(name: string): number | null;
  text(name: string, otherwise?: string): string;
  time(name: string): string;
  readonly form: string;
  readonly token: string;
}

function readerOf({ detail, form, token }: SentenceFacts): Reader {
  const value = (name: string) => (Object.hasOwn(detail, name) ? detail[name] : undefined);
  const text = (name: string, otherwise = '') => {
    const found = value(name);
    return typeof found === 'string' && found !== '' ? oneLine(found) : otherwise;
  };
  return {
    has: (name) => text(name) !== '',
    is: (name, wanted = true) => value(name) === wanted,
    number(name) {
      const found = value(name);
      return typeof found === 'number' ? found : null;
    },
    text,
    time: (name) =>
      text(name, 'an unknown date').replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 at $2 UTC'),
    form: form ? `the form “${oneLine(form)}”` : 'the form',
    token: token ? `The token “${oneLine(token)}”` : 'The token',
  };
}

/** Control characters and those that turn the direction of text could make a sentence look like another. */
function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return clean.length > charactersMax ? `${clean.slice(0, charactersMax)}…` : clean;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const numberText = (number: number | null) => (number ?? 0).toLocaleString('en-US');
const size = (bytes: number | null) =>
  bytes === null ? '' : ` of ${numberText(bytes)} byte${bytes === 1 ? '' : 's'}`;
