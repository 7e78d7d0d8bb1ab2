import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

test.each([
  ['Engines & Sons', 'Engines & Sons'],
  ['Dr. Ada Lovelace', 'Dr. Ada Lovelace'],
  ["Åsa O'Neill-Wü (Berlin)", "Åsa O'Neill-Wü (Berlin)"],
  ['株式会社 青空', '株式会社 青空'],
  ['Team 24', 'Team 24'],
])('an ordinary name stays the same: %s', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

test.each([
  ['https://evil.example/login', 'https evil. example login'],
  ['HTTP:\\\\evil.example', 'HTTP evil. example'],
  ['www.evil.example', 'www. evil. example'],
  ['evil.example', 'evil. example'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil. example'],
  ['evil。example', 'evil. example'],
  ['evil｡example', 'evil. example'],
  ['evil․example', 'evil. example'],
  ['support@evil.example', 'support evil. example'],
  ['mailto:eve', 'mailto eve'],
  ['<a href="//evil.example">Click</a>', 'a href evil. example Click a'],
  ['[Click](https://evil.example)', 'Click (https evil. example)'],
  ['Call +1 (800) 555-1234 now', 'Call +… now'],
  ['Ada\r\nBcc: eve@evil.example', 'Ada Bcc eve evil. example'],
  ['a\u2028b\u2029c\u0085d', 'a b c d'],
  ['\u202elive\u202c.\u2066example\u2069', 'live . example'],
  ['ev\u200bil\u00ad.exa\ufeffmple', 'ev il . exa mple'],
  ['“You won”', 'You won'],
])('%j becomes plain text', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

test('no name keeps anything that an email program turns into a link', () => {
  const parts = fc.constantFrom(
    'http://',
    'www.',
    '.com',
    '@',
    'evil',
    '\n',
    '\u202e',
    '。',
    '．',
    '/',
    ' ',
    '1234567',
  );
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(parts, { maxLength: 20 }).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(names, (name) => {
      const plain = plainName(name);
      expect(plain).not.toMatch(/[:/\\@<>[\]"“”\p{C}\p{Zl}\p{Zp}]|\.\S|\d{7}/u);
      expect([...plain].length).toBeLessThanOrEqual(82);
    }),
  );
});
