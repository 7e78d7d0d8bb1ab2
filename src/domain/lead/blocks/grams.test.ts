import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addGrams, gramsToFind, pairToFind } from './grams.ts';

const character = fc.constantFrom('a', 'B', 'z', ' ', '.', 'é', 'ÿ', 'Ж', '山', '田', '€', '😀', 'ß', 'ſ');
const value = fc.string({ unit: character, maxLength: 12 });

function gramsIn(text: string): number[] {
  const grams: number[] = [];
  addGrams(text, (gram) => grams.push(gram));
  return grams;
}

test('a value has all grams of each text that it contains', () => {
  fc.assert(
    fc.property(value, fc.nat(12), fc.nat(12), (text, start, length) => {
      const sought = text.slice(start, start + length);
      expect(gramsIn(text)).toEqual(expect.arrayContaining(gramsToFind(sought, false)));
    }),
  );
});

test('a value has a gram of each two characters in a row, also at its end', () => {
  fc.assert(
    fc.property(value, (text) => {
      for (let at = 0; at + 2 <= text.length; at++) {
        const pair = pairToFind(text.slice(at, at + 2), false);
        const isFound = gramsIn(text).some(
          (gram) => pair !== null && gram >= pair.first && gram <= pair.last,
        );
        expect([text.slice(at, at + 2), isFound]).toEqual([text.slice(at, at + 2), true]);
      }
    }),
  );
});

test.each(['ab', '山田', 'a山', '山a'])('%s is not found where it does not occur', (sought) => {
  const pair = pairToFind(sought, false);
  const grams = gramsIn('ba, xay, 田山, 山本, a田 a');
  expect(grams.filter((gram) => pair !== null && gram >= pair.first && gram <= pair.last)).toEqual([]);
});

test.each(['a', '', 'a"b'])('%j has no two characters to look for', (sought) => {
  expect(pairToFind(sought, true)).toBeNull();
});
