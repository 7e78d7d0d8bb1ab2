import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hintOf } from '../secrets/checksummed.ts';
import { isWellFormedToken, mintToken, tokenTypes } from '../token.ts';
import { hashApiKey, isWellFormedApiKey, mintApiKey } from './api-key.ts';

test('every minted key has the published shape, and no two are alike', () => {
  const minted = Array.from({ length: 2_000 }, mintApiKey);
  expect(minted.every((key) => isWellFormedApiKey(key) && /^lgk_[0-9A-Za-z]{38}$/.test(key))).toBe(true);
  expect(new Set(minted).size).toBe(minted.length);
});

test('a key never passes for an ingest token, nor a token for a key', () => {
  for (const type of tokenTypes) {
    const token = mintToken(type);
    expect(isWellFormedApiKey(token)).toBe(false);
    expect(isWellFormedApiKey(`lgk_${token}`)).toBe(false);
  }
  expect(isWellFormedToken(mintApiKey())).toBe(false);
});

test('a key with any one character changed is not well formed', () => {
  fc.assert(
    fc.property(fc.nat(41), fc.constantFrom(...'0Az'), (at, character) => {
      const key = mintApiKey();
      fc.pre(key[at] !== character);
      return !isWellFormedApiKey(key.slice(0, at) + character + key.slice(at + 1));
    }),
  );
  fc.assert(fc.property(fc.string({ minLength: 1 }), (text) => !isWellFormedApiKey(mintApiKey() + text)));
});

test('a key is shown by its last four characters, and stored as a SHA-256', () => {
  const key = mintApiKey();
  expect(hintOf(key)).toBe(`lgk_…${key.slice(-4)}`);
  expect(hashApiKey('abc').toString('hex')).toMatch(/^ba7816bf8f01cfea/);
});
