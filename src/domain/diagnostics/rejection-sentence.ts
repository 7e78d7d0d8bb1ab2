import { type RejectionReason, rejectionReasons } from '../rejection.ts';

/** What the service noted about a rejected request. Older versions noted less, so anything may be missing. */
export type NotedDetail = Readonly<Record<string, unknown>>;

type Say = (detail: NotedDetail) => string | null;

/**
 * What happened to one request, with its own values, where the reason alone says less. Null if the values that it needs were
 * not noted: then the sentence of the reason is all there is.
 */
const sentences: Partial<Record<RejectionReason, Say>> = {
  method_not_allowed: ({ method }) => text(method, (name) => `The request was a ${name}, not a POST.`),
  body_too_large: ({ bytes }) =>
    number(bytes, (count) => `The body has ${grouped(count)} bytes; 131,072 are allowed.`),
  encoding_unsupported: ({ encoding }) =>
    text(encoding, (name) => `The body was sent with the encoding ${name}.`),
  token_malformed: ({ repeated }) => (repeated === true ? 'The Authorization header was sent twice.' : null),
  token_wrong_type: ({ type }) =>
    text(type, (name) => `The token is ${tokenKinds[name] ?? 'of another kind'}, not an ingest token.`),
  token_revoked: ({ grace_ended_at, expired, mint_secret_ended }) => {
    if (typeof grace_ended_at === 'string')
      return `The token was replaced, and could be used until ${minuteText(grace_ended_at)}.`;
    if (mint_secret_ended === true) return 'The token was signed with a mint secret that is no longer valid.';
    return expired === true ? 'The token has expired.' : 'The token was revoked.';
  },
  form_unknown: ({ former_slug }) =>
    text(former_slug, (slug) => `The form is no longer at the slug ${slug}.`),
  origin_missing: (detail) =>
    detail.repeated === true
      ? 'The Origin header was sent twice.'
      : detail.null === true
        ? 'The Origin header is null.'
        : 'The request has no Origin header.',
  origin_not_allowed: ({ origin, in_list }) =>
    text(origin, (name) =>
      in_list === true
        ? `The request came from ${name}, but the token was created for another origin.`
        : `The request came from ${name}, which is not in the list.`,
    ),
  mint_limited: ({ no_script }) =>
    no_script === true ? 'The network sent too many forms without script.' : null,
  token_expired: ({ expired_seconds, ahead_seconds }) =>
    number(expired_seconds, (count) => `The token expired ${duration(count)} before the request.`) ??
    number(ahead_seconds, (count) => `The token was signed ${duration(count)} in the future.`),
  timestamp_invalid: ({ repeated }) =>
    repeated === true ? 'The timestamp header was sent twice.' : 'The timestamp is not a number of seconds.',
  timestamp_outside_window: ({ drift_seconds, signature_valid }) =>
    number(drift_seconds, (count) => {
      const side = count > 0 ? 'ahead of' : 'behind';
      const proof = signature_valid === true ? ' The signature itself is right.' : '';
      return `The timestamp was ${duration(Math.abs(count))} ${side} our clock; 5 min are allowed.${proof}`;
    }),
  signature_malformed: ({ repeated, characters }) =>
    repeated === true
      ? 'The signature header was sent twice.'
      : number(characters, (count) => `The signature has ${grouped(count)} characters; 64 are expected.`),
  content_type_unsupported: ({ content_type, repeated }) => {
    if (repeated === true) return 'The content type was sent twice.';
    return content_type === ''
      ? 'The request has no content type.'
      : text(content_type, (name) => `The content type was ${name}, not application/json in UTF-8.`);
  },
  idempotency_key_malformed: ({ repeated }) =>
    repeated === true ? 'The idempotency key was sent twice.' : null,
  body_not_json: ({ bytes }) =>
    bytes === 0
      ? 'The body is empty.'
      : number(bytes, (count) => `The body of ${byteText(count)} is not valid JSON in UTF-8.`),
  body_not_object: ({ bytes }) =>
    number(bytes, (count) => `The body of ${byteText(count)} is JSON, but not an object.`),
  body_too_deep: ({ bytes }) =>
    number(bytes, (count) => `The body of ${byteText(count)} is nested more than 64 levels deep.`),
};

const tokenKinds: Readonly<Record<string, string>> = { api_key: 'an API key', browser: 'a browser token' };

export function sentenceOf(reason: string, detail: NotedDetail): string {
  const own = sentences[reason as RejectionReason]?.(detail);
  return own ?? rejectionReasons.find(({ code }) => code === reason)?.text ?? reason;
}

function text(value: unknown, say: (value: string) => string): string | null {
  return typeof value === 'string' && value !== '' ? say(value) : null;
}

function number(value: unknown, say: (value: number) => string): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? say(value) : null;
}

const plain = new Intl.NumberFormat('en-US');
const grouped = (count: number) => plain.format(count);
const byteText = (count: number) => `${grouped(count)} byte${count === 1 ? '' : 's'}`;

/** "6 min 12 s"; from an hour on without seconds, from a day on without minutes. */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const units = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${grouped(count)} ${unit}`).join(' ');
}

/** 2026-11-15T08:30:20.000Z as "2026-11-15 08:30 UTC". */
function minuteText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
