import { expect, test } from 'vitest';
import { TokenCache } from './token-cache.ts';

const valid = { type: 'server', revokedAt: null } as const;

test('only valid server tokens are kept, so that all others take the same time', () => {
  const cache = new TokenCache();
  cache.add('valid', valid);
  cache.add('revoked', { type: 'server', revokedAt: 1 });
  cache.add('browser', { type: 'browser', revokedAt: null });
  expect(['valid', 'revoked', 'browser', 'unknown'].map((token) => cache.get(token))).toEqual([
    valid,
    null,
    null,
    null,
  ]);
});

test('the cache holds 10,000 tokens at most, and none after it was emptied', () => {
  const cache = new TokenCache();
  for (let number = 0; number <= 10_000; number++) cache.add(`token ${number}`, valid);
  expect([cache.get('token 9999'), cache.get('token 10000')]).toEqual([null, valid]);
  cache.clear();
  expect(cache.get('token 10000')).toBeNull();
});
