import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mintApiKey } from '../api-key/api-key.ts';
import { newMintSecret } from '../browser/secrets.ts';
import { newWebhookSecret } from '../destination/request/webhook-signature.ts';
import { mintSigningSecret } from '../secrets/signing-secret.ts';
import { mintToken } from '../token.ts';
import { isOwnSecret, parseIdempotencyKey } from './idempotency.ts';

test('1 to 255 characters of any UTF-8 are a key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), (key) => {
      const characters = [...key].length;
      const parsed = parseIdempotencyKey(Buffer.from(key).toString('latin1'));
      return characters <= 255 ? parsed === key : parsed === null;
    }),
  );
});

test.each([
  ['an ingest token', mintToken('server')],
  ['an API key', mintApiKey()],
  ['a signing secret', mintSigningSecret()],
  ['a secret of a destination', newWebhookSecret()],
  ['a secret for browser tokens', newMintSecret()],
])('%s that is sent as an idempotency key is recognised, and no other text', (_, secret) => {
  expect([secret, secret.slice(0, -1), `${secret}a`, 'order-4711'].map(isOwnSecret)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
