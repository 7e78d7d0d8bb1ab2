import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineOf, linesOf, shortened, textForPeople } from './plain-text.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('\r', '\n', '\u2028', '\u0085', '\ud83d', '😀', '\u202e', '\0', ' ', 'a'))
    .map((all) => all.join('')),
);
const limits = fc.integer({ min: 2, max: 60 });
const unwanted =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/;

test('no text for people has control characters, characters that change its direction, or halves of characters', () => {
  fc.assert(
    fc.property(texts, limits, (text, max) => {
      for (const made of [textForPeople(text), linesOf(text, max), lineOf(text, max)]) {
        expect(made).not.toMatch(unwanted);
        expect(made.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('a line has no line break, no blanks at its ends, and keeps to its limit', () => {
  fc.assert(
    fc.property(texts, limits, (text, max) => {
      const line = lineOf(text, max);
      expect(line).not.toMatch(/[\r\n\t\v\f]/);
      expect(line).toBe(line.trim());
      expect(line.length).toBeLessThanOrEqual(max);
    }),
  );
});

test('lines keep their breaks, whatever the sender writes for them', () => {
  expect(linesOf('a\r\nb\rc\u2028d\u0085e\n\nf\n', 100)).toBe('a\nb\nc\nd\ne\n\nf');
});

test('a text that was cut says so, even if what was cut off was not read', () => {
  expect(lineOf(`a${' '.repeat(1_000)}b`, 20)).toBe('a…');
  expect(lineOf('a'.repeat(21), 20)).toBe(`${'a'.repeat(19)}…`);
  expect(lineOf('a'.repeat(20), 20)).toBe('a'.repeat(20));
  expect(linesOf('a\n'.repeat(1_000), 10)).toBe('a\na\na\na\na…');
});

test('a text is never cut in the middle of a character', () => {
  expect(shortened('aa😀b', 4)).toBe('aa…');
  expect(lineOf(`${'a'.repeat(79)}😀`, 20)).toBe(`${'a'.repeat(19)}…`);
});
