import { createHash, createHmac } from 'node:crypto';
import type { MistakeCode } from '../../src/domain/signature-debug/mistakes.ts';
import type { KnownSecret } from '../../src/domain/signature-debug/variants/secret-variants.ts';

/** What a sender knows, and what it sends. */
export interface Sender {
  readonly secret: string;
  readonly body: Buffer;
  readonly seconds: number;
}

export interface Sent {
  readonly timestamp?: string | null;
  readonly signature?: string | null;
  /** If it differs from the sender's own. */
  readonly body?: Buffer;
  readonly contentType?: string;
  readonly claimedBody?: Buffer;
  readonly secrets?: readonly KnownSecret[];
  readonly headers?: Record<string, string>;
}

type Mistaken = (sender: Sender, pick: number) => Sent;

export const hmacHex = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
};
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash;
};
export const oneOf = <T>(pick: number, ...choices: T[]): T => choices[pick % choices.length] as T;

/** Signs correctly, except for the given parts. */
export function signed(
  { secret, body, seconds }: Sender,
  changed: { key?: string | Buffer; body?: string | Buffer; time?: string } = {},
) {
  return hmacHex(changed.key ?? secret, `${changed.time ?? seconds}.`, changed.body ?? body);
}

const textOf = ({ body }: Sender) => body.toString();
const objectOf = (sender: Sender) => JSON.parse(textOf(sender));

/** Each mistake as a sender makes it, without using the debugger's code. */
export const mistakenSenders: Record<MistakeCode, Mistaken> = {
  header_misnamed: (s) => ({
    timestamp: null,
    signature: null,
    headers: { 'X-Timestamp': String(s.seconds), 'X-Hub-Signature-256': `sha256=${signed(s)}` },
  }),
  timestamp_missing: (s) => ({ timestamp: null, signature: signed(s) }),
  signature_missing: () => ({ signature: null }),
  header_repeated: (s) => ({
    signature: signed(s),
    headers: {
      'X-SVC-Timestamp': String(s.seconds),
      'x-svc-timestamp': String(s.seconds),
      'X-SVC-Signature': signed(s),
    },
  }),
  timestamp_milliseconds: (s, pick) => {
    const time = `${s.seconds}${String(pick % 1000).padStart(3, '0')}`;
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_microseconds: (s, pick) => {
    const time = `${s.seconds}${oneOf(pick, '123456', '123456789')}`;
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_fraction: (s) => {
    const time = `${s.seconds}.1234567`;
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_as_date: (s) => {
    const time = new Date(s.seconds * 1000).toISOString();
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_unreadable: (s, pick) => {
    const time = oneOf(pick, `"${s.seconds}"`, 'now', `+${s.seconds}`, '');
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_local_time: (s, pick) => {
    const time = String(s.seconds + oneOf(pick, -8, -3.5, -1, 1, 2, 5.5, 12) * 3600);
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_ahead: (s, pick) => {
    const time = String(s.seconds + oneOf(pick, 372, 500, 3600 * 30 + 700));
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_stale: (s, pick) => {
    const time = String(s.seconds - oneOf(pick, 372, 7300, 3600 * 40, 86_400 * 30));
    return { timestamp: time, signature: signed(s, { time }) };
  },
  timestamp_differs: (s, pick) => ({
    signature: signed(s, {
      time: oneOf(
        pick,
        String(s.seconds - 1),
        String(s.seconds + 299),
        `${s.seconds}${String(pick % 1000).padStart(3, '0')}`,
        new Date(s.seconds * 1000).toISOString(),
      ),
    }),
  }),
  body_reserialized: (s, pick) => {
    const value = objectOf(s);
    const compact = JSON.stringify(value);
    const sorted = JSON.stringify(
      Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
    const copy = oneOf(
      pick,
      compact,
      JSON.stringify(value, null, 2),
      JSON.stringify(value, null, 4),
      compact.replaceAll('/', '\\/'),
      sorted,
      asciiOnly(compact),
    );
    return { signature: signed(s, { body: copy }) };
  },
  body_line_ends: (s, pick) =>
    oneOf(
      pick,
      { signature: signed(s, { body: `${textOf(s)}\n` }) },
      { signature: signed(s, { body: `${textOf(s)}\r\n` }) },
      { signature: signed(s), body: Buffer.from(`${textOf(s)}\n`) },
    ),
  body_charset: (s, pick) => {
    const text = textOf(s);
    const other = oneOf(
      pick,
      Buffer.from(text, 'utf16le'),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), s.body]),
      Buffer.from(s.body.toString('latin1')),
    );
    return { signature: signed(s, { body: other.equals(s.body) ? Buffer.from(text, 'utf16le') : other }) };
  },
  body_form_encoded: (s, pick) => {
    const fields = { email: `a${pick}@example.com`, name: 'Ada Lovelace' };
    const form = new URLSearchParams(fields).toString();
    const json = JSON.stringify(fields);
    return oneOf(
      pick,
      { body: Buffer.from(form), signature: signed(s, { body: json }) },
      { body: Buffer.from(json), signature: signed(s, { body: form }) },
    );
  },
  body_wrapped: (s, pick) => ({
    signature: signed(s, {
      body: oneOf(pick, s.body.toString('base64'), s.body.toString('hex'), JSON.stringify(textOf(s))),
    }),
  }),
  body_not_text: (s, pick) => ({
    signature: signed(s, { body: oneOf(pick, '[object Object]', 'undefined', 'Array') }),
  }),
  body_empty: (s) => ({ signature: signed(s, { body: '' }) }),
  body_changed: (s, pick) => {
    const claimedBody = Buffer.from(`{"changed":${pick}}`);
    return { claimedBody, signature: signed(s, { body: claimedBody }) };
  },
  secret_previous: (s) => ({
    signature: signed(s, { key: `old ${s.secret}` }),
    secrets: [{ kind: 'ended', value: `old ${s.secret}` }],
  }),
  secret_of_other_form: (s) => ({
    signature: signed(s, { key: `other ${s.secret}` }),
    secrets: [{ kind: 'other_form', name: 'Contact EU', value: `other ${s.secret}` }],
  }),
  secret_is_ingest_token: (s) => ({
    signature: signed(s, { key: 'ingt_srv_abc' }),
    secrets: [{ kind: 'given', value: 'ingt_srv_abc' }],
  }),
  secret_other: (s) => ({
    signature: signed(s, { key: 'what I have in my settings' }),
    secrets: [{ kind: 'given', value: 'what I have in my settings' }],
  }),
  secret_is_identifier: (s) => ({
    signature: signed(s, { key: 'contact-eu' }),
    secrets: [{ kind: 'identifier', name: 'the slug of the form', value: 'contact-eu' }],
  }),
  secret_whitespace: (s, pick) => ({
    signature: signed(s, {
      key: oneOf(pick, `${s.secret}\n`, `${s.secret}\r\n`, ` ${s.secret}`, `${s.secret} `),
    }),
  }),
  secret_quoted: (s, pick) => ({
    signature: signed(s, { key: oneOf(pick, `"${s.secret}"`, `'${s.secret}'`) }),
  }),
  secret_prefix: (s) => ({ signature: signed(s, { key: s.secret.replace('whsec_', '') }) }),
  secret_decoded: (s) => ({
    signature: signed(s, { key: Buffer.from(s.secret.replace('whsec_', ''), 'base64') }),
  }),
  secret_encoded: (s, pick) => ({
    signature: signed(s, {
      key: oneOf<string | Buffer>(
        pick,
        Buffer.from(s.secret).toString('base64'),
        Buffer.from(s.secret).toString('hex'),
        sha256(s.secret).digest(),
        sha256(s.secret).digest('hex'),
      ),
    }),
  }),
  secret_empty: (s, pick) => ({ signature: signed(s, { key: oneOf(pick, '', 'undefined', 'null') }) }),
  timestamp_not_signed: (s) => ({ signature: hmacHex(s.secret, s.body) }),
  joiner_wrong: (s, pick) => ({
    signature: hmacHex(s.secret, `${s.seconds}${oneOf(pick, '', ':', '\n', '|')}`, s.body),
  }),
  order_wrong: (s) => ({ signature: hmacHex(s.secret, s.body, `.${s.seconds}`) }),
  algorithm_wrong: (s, pick) => ({
    signature: createHmac(oneOf(pick, 'sha1', 'sha512', 'sha384', 'md5'), s.secret)
      .update(`${s.seconds}.`)
      .update(s.body)
      .digest('hex'),
  }),
  hash_without_key: (s, pick) => ({
    signature: oneOf(pick, sha256(s.body), sha256(`${s.seconds}.`, s.body)).digest('hex'),
  }),
  hash_of_secret_and_message: (s, pick) => ({
    signature: oneOf(
      pick,
      sha256(s.secret, `${s.seconds}.`, s.body),
      sha256(`${s.seconds}.`, s.body, s.secret),
    ).digest('hex'),
  }),
  key_and_message_swapped: (s) => ({
    signature: hmacHex(Buffer.concat([Buffer.from(`${s.seconds}.`), s.body]), s.secret),
  }),
  digest_of_digest: (s, pick) => ({
    signature: oneOf(
      pick,
      hmacHex(s.secret, sha256(`${s.seconds}.`, s.body).digest('hex')),
      hmacHex(s.secret, `${s.seconds}.`, sha256(s.body).digest('hex')),
      sha256(signed(s)).digest('hex'),
    ),
  }),
  signature_base64: (s, pick) => ({
    signature: Buffer.from(signed(s), 'hex').toString(oneOf(pick, 'base64', 'base64url')),
  }),
  signature_encoded_twice: (s, pick) => ({
    signature: Buffer.from(signed(s)).toString(oneOf(pick, 'base64', 'hex')),
  }),
  signature_prefix: (s, pick) => ({
    signature: oneOf(
      pick,
      `v1=${signed(s)}`,
      `t=${s.seconds},v1=${signed(s)}`,
      `(stdin)= ${signed(s)}`,
      `SHA2-256(stdin)= ${signed(s)}`,
      `X-SVC-Signature: ${signed(s)}`,
      `X-SVC-Signature: sha256=${signed(s)}`,
      `${signed(s)}  -`,
    ),
  }),
  signature_decorated: (s, pick) => ({
    signature: oneOf(
      pick,
      `"${signed(s)}"`,
      `b'${signed(s)}'`,
      `0x${signed(s)}`,
      signed(s).replaceAll(/(..)(?!$)/g, '$1-'),
      `sha256%3D${signed(s)}`,
    ),
  }),
  signature_cut_off: (s, pick) => ({ signature: signed(s).slice(0, oneOf(pick, 32, 40, 50, 63)) }),
};

function asciiOnly(text: string): string {
  return text.replaceAll(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
