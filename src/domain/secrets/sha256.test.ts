import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestKey, sha256Bytes, sha256Key } from './sha256.ts';

const latin1 = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const expected = (text: string) => hash('sha256', Buffer.from(text, 'latin1'), 'buffer');

test('it is the SHA-256 of the standard library, for every length', () => {
  for (let length = 0; length < 300; length++) {
    const text = 'é'.repeat(length);
    expect(sha256Bytes(text).equals(expected(text))).toBe(true);
  }
});

test('it is the SHA-256 of the standard library, for every text', () => {
  fc.assert(
    fc.property(latin1, (text) => sha256Bytes(text).equals(expected(text))),
    { numRuns: 2_000 },
  );
});

test('a key made from a text is the key made from its stored digest', () => {
  fc.assert(fc.property(latin1, (text) => sha256Key(text) === digestKey(expected(text))));
});
