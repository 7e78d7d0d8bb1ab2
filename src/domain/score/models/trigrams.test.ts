import { expect, test } from 'vitest';
import { letterOf } from './trigrams.ts';

test.each([
  ['Vietnamese', 'ếơữĐỵ', 'eoudy'],
  ['Azeri', 'Əəğı', 'aagi'],
  ['Welsh', 'ŵŷẁ', 'wyw'],
  ['Romanian', 'șțȘ', 'sts'],
  ['Sami', 'ŋŧ', 'nt'],
  ['Hausa', 'ɓɗƙ', 'bdk'],
])('an accent does not hide a letter: %s', (_, written, plain) => {
  const letters = [...written].map((letter) => String.fromCharCode(96 + letterOf(letter.charCodeAt(0))));
  expect(letters.join('')).toBe(plain);
});

test.each(['1', '-', 'я', '中', 'ª', '\u02b0'])('%s is not a Latin letter', (character) => {
  expect(letterOf(character.charCodeAt(0))).toBe(0);
});
