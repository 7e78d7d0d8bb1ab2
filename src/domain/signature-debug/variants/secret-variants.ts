import { createHash } from 'node:crypto';
import { tokenPrefixes } from '../../token.ts';
import type { MistakeCode } from '../mistakes.ts';
import { DistinctBytes, right, type Variant, wrong } from './variant.ts';

/** A secret the sender may have used. Only `current` and `previous` are valid. */
export interface KnownSecret {
  readonly kind: 'current' | 'previous' | 'ended' | 'other_form' | 'given' | 'identifier';
  readonly value: string;
  /** The name of the form, or what the identifier belongs to. */
  readonly name?: string;
}

const placeholders = [
  'undefined',
  'null',
  'None',
  'nil',
  'lgs_…',
  'lgs_...',
  'whsec_…',
  'whsec_...',
  '<SIGNING_SECRET>',
  'your-secret',
];

/** All keys worth trying: valid ones first, then other secrets, then altered forms of each. */
export function secretVariants(secrets: readonly KnownSecret[]): Variant<Buffer>[] {
  const seen = new DistinctBytes();
  const own = secrets.filter(({ kind }) => kind === 'current' || kind === 'previous');
  const asTheyAre = secrets.map((secret) => variantOf(secret, Buffer.from(secret.value)));
  const mangled = own.flatMap(({ value }) => mangledKeys(value));
  const mangledOthers = secrets
    .filter(({ kind }) => kind === 'ended' || kind === 'given')
    .flatMap((secret) =>
      mangledKeys(secret.value).map(({ value, findings }) => ({
        value,
        findings: [...variantOf(secret, value).findings, ...findings],
      })),
    );
  const empty = ['', ...placeholders].map((text) =>
    wrong(Buffer.from(text), 'secret_empty', emptySays(text)),
  );
  return [...asTheyAre, ...mangled, ...empty, ...mangledOthers].filter(({ value }) => seen.isNew(value));
}

function variantOf({ kind, value, name = '' }: KnownSecret, key: Buffer): Variant<Buffer> {
  const isToken = Object.values(tokenPrefixes).some((prefix) => value.startsWith(prefix));
  switch (kind) {
    case 'current':
    case 'previous':
      return right(key);
    case 'ended':
      return wrong(
        key,
        'secret_previous',
        'it was signed with the previous secret, which is no longer valid',
      );
    case 'other_form':
      return wrong(key, 'secret_of_other_form', `it was signed with the secret of the form "${name}"`);
    case 'identifier':
      return wrong(key, 'secret_is_identifier', `it was signed with ${name} instead of the secret`);
    case 'given':
      return isToken
        ? wrong(key, 'secret_is_ingest_token', 'it was signed with an ingest token instead of the secret')
        : wrong(
            key,
            'secret_other',
            "it was signed with the secret you entered, which is not this form's secret",
          );
  }
}

function emptySays(text: string): string {
  return text === ''
    ? 'it was signed with an empty secret'
    : `it was signed with "${text}" instead of the secret`;
}

/** How a secret can get altered on its way into a sender. */
function mangledKeys(secret: string): Variant<Buffer>[] {
  const keys: Variant<Buffer>[] = [];
  const add = (code: MistakeCode, says: string, ...values: (string | Buffer)[]) => {
    for (const value of values) keys.push(wrong(Buffer.from(value as string), code, says));
  };
  add(
    'secret_whitespace',
    'the secret was used with a newline at the end',
    `${secret}\n`,
    `${secret}\r\n`,
    `${secret}\r`,
  );
  add(
    'secret_whitespace',
    'the secret was used with a space before or after it',
    `${secret} `,
    ` ${secret}`,
    `${secret}\t`,
  );
  add(
    'secret_whitespace',
    'the secret was used without the whitespace around it',
    secret.trim(),
    secret.trimEnd(),
  );
  add(
    'secret_quoted',
    'the secret was used with quotes around it',
    `"${secret}"`,
    `'${secret}'`,
    `\`${secret}\``,
  );
  add('secret_quoted', 'the secret was used with quotes around it', JSON.stringify(secret), `<${secret}>`);
  const bare = secret.replace(/^[a-z]{2,10}_/i, '');
  add('secret_prefix', 'the secret was used without its prefix', bare, bare.trim());
  add(
    'secret_prefix',
    'the secret was used with a prefix that is not part of it',
    `whsec_${secret}`,
    `lgs_${secret}`,
    `sha256=${secret}`,
  );
  for (const text of [secret, bare]) {
    if (/^[\w+/-]{8,}={0,2}$/.test(text)) {
      add('secret_decoded', 'the secret was decoded from base64', Buffer.from(text, 'base64'));
    }
    if (/^(?:[0-9a-f]{2}){4,}$/i.test(text)) {
      add('secret_decoded', 'the secret was decoded from hex', Buffer.from(text, 'hex'));
    }
  }
  const bytes = Buffer.from(secret);
  add(
    'secret_encoded',
    'the secret was encoded as base64',
    bytes.toString('base64'),
    bytes.toString('base64url'),
  );
  add('secret_encoded', 'the secret was encoded as hex', bytes.toString('hex'));
  add('secret_encoded', 'the secret was hashed', sha256(bytes), sha256(bytes).toString('hex'));
  add(
    'secret_encoded',
    'the secret was used in upper or lower case',
    secret.toLowerCase(),
    secret.toUpperCase(),
  );
  add('secret_encoded', 'the secret was not encoded as UTF-8', Buffer.from(secret, 'latin1'));
  add('secret_encoded', 'the secret was not encoded as UTF-8', Buffer.from(secret, 'utf16le'));
  return keys;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
