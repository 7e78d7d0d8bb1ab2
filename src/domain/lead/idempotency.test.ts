import fc from 'fast-check';
import { test } from 'vitest';
import { parseIdempotencyKey } from './idempotency.ts';

test('1 to 255 characters of any UTF-8 are a key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), (key) => {
      const characters = [...key].length;
      const parsed = parseIdempotencyKey(Buffer.from(key).toString('latin1'));
      return characters <= 255 ? parsed === key : parsed === null;
    }),
  );
});
