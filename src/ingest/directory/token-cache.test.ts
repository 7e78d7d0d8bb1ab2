import { expect, test } from 'vitest';
import { TokenCache } from './token-cache.ts';

const now = 1_000;
const valid = { type: 'server', revokedAt: null, expiresAt: now + 1 } as const;

test('only valid server tokens are kept, so that all others take the same time', () => {
  const cache = new TokenCache();
  cache.add('valid', valid);
  cache.add('revoked', { ...valid, revokedAt: 1 });
  cache.add('browser', { ...valid, type: 'browser' });
  cache.add('expired', { ...valid, expiresAt: now });
  const tokens = ['valid', 'revoked', 'browser', 'expired', 'unknown'];
  expect(tokens.map((token) => cache.get(token, now))).toEqual([valid, null, null, null, null]);
  expect(cache.get('valid', now + 1)).toBeNull();
});

test('the cache holds 10,000 tokens at most, and none after it was emptied', () => {
  const cache = new TokenCache();
  for (let number = 0; number <= 10_000; number++) cache.add(`token ${number}`, valid);
  expect([cache.get('token 9999', now), cache.get('token 10000', now)]).toEqual([null, valid]);
  cache.clear();
  expect(cache.get('token 10000', now)).toBeNull();
});
