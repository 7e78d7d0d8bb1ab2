import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashTable } from './hash-table.ts';

/** A few near each other, so that they share slots. */
const hash = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const entry = fc.tuple(
  hash.filter((number) => number !== 0),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);

test('a table has the values of a map, asked for one by one or all at once, however it has grown', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), fc.array(hash, { maxLength: 300 }), (entries, asked) => {
      const map = new Map(entries);
      const table = new HashTable(entries);
      const hashes = Int32Array.from([...asked, ...map.keys(), 0]);
      const expected = Array.from(hashes, (number) => map.get(number) ?? 0);
      const values = new Int32Array(hashes.length).fill(7);
      table.getAll(hashes, hashes.length, values);
      expect([...values]).toEqual(expected);
      expect(Array.from(hashes, (number) => table.get(number))).toEqual(expected);
    }),
  );
});

test('a table of the size it was made for has the values of one that grew', () => {
  const entries = Array.from({ length: 5_000 }, (_, n) => [Math.imul(n + 1, 0x9e3779b1), n] as const);
  const grown = new HashTable(entries);
  const sized = new HashTable(entries, entries.length);
  expect(entries.every(([key, value]) => grown.get(key) === value && sized.get(key) === value)).toBe(true);
});

test('a hash of 0 cannot be stored, because it marks an empty slot', () => {
  expect(() => new HashTable([[0, 1]])).toThrow(RangeError);
});
