import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hashToken,
  isWellFormedToken,
  mintToken,
  tokenHint,
  tokenKey,
  tokenKeyOf,
  tokenTypes,
} from './token.ts';

const types = fc.constantFrom(...tokenTypes);

test('every minted token is well formed, and no two are alike', () => {
  const minted = Array.from({ length: 2_000 }, (_, i) => mintToken(tokenTypes[i % 2] ?? 'server'));
  expect(minted.every(isWellFormedToken)).toBe(true);
  expect(new Set(minted).size).toBe(minted.length);
});

test('a server token has the published shape', () => {
  expect(mintToken('server')).toMatch(/^ingt_srv_[0-9A-Za-z]{38}$/);
  expect(mintToken('browser')).toMatch(/^ingt_br_[0-9A-Za-z]{38}$/);
});

test('the checksum is the CRC32 of the 32 random characters in base62', () => {
  const random = '0'.repeat(32);
  expect(isWellFormedToken(`ingt_srv_${random}2wjyrI`)).toBe(true);
});

test('a token with any one character changed is not well formed', () => {
  fc.assert(
    fc.property(types, fc.nat(37), fc.constantFrom(...'0Az'), (type, place, character) => {
      const token = mintToken(type);
      const at = token.length - 38 + place;
      fc.pre(token[at] !== character);
      return !isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1));
    }),
  );
});

test('no other text is a token', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedToken(text)));
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => !isWellFormedToken(mintToken('server') + text)),
  );
});

test('a hint holds the type and the last four characters only', () => {
  const token = mintToken('server');
  expect(tokenHint(token)).toBe(`ingt_srv_…${token.slice(-4)}`);
});

test('a token is stored as a SHA-256', () => {
  expect(hashToken('abc').toString('hex')).toMatch(/^ba7816bf8f01cfea/);
});

test('the key of a token is the key of its stored hash', () => {
  const token = mintToken('server');
  expect(tokenKeyOf(hashToken(token))).toBe(tokenKey(token));
  expect(tokenKey(token)).toHaveLength(32);
});
