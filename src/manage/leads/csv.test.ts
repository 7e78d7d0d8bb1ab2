import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, rowCharactersMax } from './csv.ts';

type Reader = (file: string, separator: string) => string[];

/** As RFC 4180 and Excel: quotes protect a cell that begins with one, and end where they are not doubled. */
const excel: Reader = (file, separator) => cellsOf(file, separator, (at) => file[at + 1] !== '"');

/** As LibreOffice: quotes end only where the cell can end. */
const libreOffice: Reader = (file, separator) =>
  cellsOf(file, separator, (at) => [separator, '\r', '\n', undefined].includes(file[at + 1]));

/** As a program that knows no quotes. */
const naive: Reader = (file, separator) => file.split(new RegExp(`[\r\n${separator}]`));

function cellsOf(file: string, separator: string, isEnd: (at: number) => boolean): string[] {
  const cells: string[] = [];
  for (let at = 0; at < file.length; at++) {
    let text = '';
    if (file[at] === '"') {
      for (at++; at < file.length && !(file[at] === '"' && isEnd(at)); at++) {
        if (file[at] === '"' && file[at + 1] === '"') at++;
        text += file[at];
      }
      at++;
    }
    while (at < file.length && ![separator, '\r', '\n'].includes(file[at] as string)) text += file[at++];
    if (file.startsWith('\r\n', at)) at++;
    cells.push(text);
  }
  return cells;
}

const unseen = new Set([
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, n) => 0x7f + n),
  ...[
    0x20, 0xa0, 0xad, 0x34f, 0x115f, 0x1680, 0x180e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2800, 0x3000, 0x3164,
  ],
  ...Array.from({ length: 0x10 }, (_, n) => 0x2000 + n),
  ...Array.from({ length: 0x10 }, (_, n) => 0x2060 + n),
  ...[0xfe00, 0xfe0f, 0xfeff, 0xffa0],
]);
const formulaStarts = '=+-@\t\r\n＝＋－＠';

function beginsFormula(text: string, starts = formulaStarts): boolean {
  for (const character of text) {
    if (starts.includes(character)) return true;
    if (character !== '"' && !unseen.has(character.codePointAt(0) as number)) return false;
  }
  return false;
}

/** Nothing calls anything in it. */
function isNumberLike(text: string): boolean {
  return [...text].every((character) => '+0123456789 ()-./e'.includes(character));
}

const blanks = fc
  .array(fc.constantFrom(...unseen), { maxLength: 4 })
  .map((codes) => String.fromCodePoint(...codes));
const hostile = '=+-@\t\r\n＝＋－＠",;\'|! 0a';
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom(...hostile), fc.string()) });
const phoneLike = fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./') });
const texts = fc.oneof(
  anyText,
  phoneLike,
  fc
    .tuple(fc.constantFrom('', ...';\t\r\n"'), blanks, fc.constantFrom(...formulaStarts), anyText)
    .map((parts) => parts.join('')),
  fc
    .tuple(anyText, fc.constantFrom(...';\t\r\n'), blanks, fc.constantFrom(...'"='), anyText)
    .map((parts) => parts.join('')),
);
const values = fc.oneof(
  texts,
  fc.dictionary(texts, texts, { maxKeys: 2 }),
  fc.array(texts, { maxLength: 2 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false),
);
const rows = fc.array(fc.array(values, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });

const fileOf = (given: readonly (readonly unknown[])[]) =>
  given.map((row) => csvLine(row.map((value) => JSON.stringify(value)))).join('');

test('no cell begins a formula when the file is read with commas, unless it is a number or a phone number', () => {
  fc.assert(
    fc.property(rows, (given) => {
      for (const read of [excel, libreOffice]) {
        const formulas = read(fileOf(given), ',').filter((text) => beginsFormula(text));
        expect(formulas.filter((text) => !isNumberLike(text))).toEqual([]);
      }
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])(
  'no cell begins a formula when the file is read with %s, however quotes are understood',
  (_, separator) => {
    // A quote after a separator may open a cell before the end of its row.
    const starts = formulaStarts.replaceAll(/[\r\n]/g, '');
    fc.assert(
      fc.property(rows, (given) => {
        for (const read of [excel, libreOffice, naive])
          expect(read(fileOf(given), separator).filter((text) => beginsFormula(text, starts))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  },
);

test('read with commas, every value is as it was sent but for apostrophes', () => {
  const withoutGuards = (text: string) => text.replaceAll("'", '');
  fc.assert(
    fc.property(rows, (given) => {
      const shown = given.flat().map((value) => {
        if (value === null) return '';
        return typeof value === 'string' ? value : JSON.stringify(value);
      });
      expect(excel(fileOf(given), ',').map(withoutGuards)).toEqual(shown.map(withoutGuards));
    }),
    { numRuns: 2_000 },
  );
});

/** How `text` is written in a column that is not the first. */
const written = (text: string) => csvLine(['0', JSON.stringify(text)]).slice(2, -2);

test.each([
  '=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u3000=1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  '\u2800=1+1',
  '\u0001@SUM(A1)',
  '@SUM(A1)',
  '-cmd',
  '+cmd|calc',
  "-2+3+cmd|' /C calc'!A0",
  '\tx',
  '\rx',
  '\nx',
  ' \tx',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  ' \u3000＝1',
])('the text %j gets an apostrophe', (text) => {
  expect(written(text)).toBe(`"'${text}"`);
});

test.each([
  ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
  ['x\n=1', "x\n'=1"],
  ['x\r+1', "x\r'+1"],
  ['x\t@x', "x\t'@x"],
  ['x; \u200b＝1', "x; \u200b'＝1"],
  ['x;"=1', `x;""'=1`],
  ['x;\n\n-', "x;\n\n'-"],
  ['x;\tx', "x;'\tx"],
  ['- a\n- b', "'- a\n'- b"],
  ['Ada\n+49 30 1', "Ada\n'+49 30 1"],
])('the text %j gets an apostrophe where a cell could begin', (text, expected) => {
  expect(written(text)).toBe(`"${expected}"`);
});

test.each(['+1-555-0100', '-1+1', '+49/30', ' -(1)-1 '])('the sum %j gets an apostrophe', (text) => {
  expect(written(text)).toBe(`"'${text}"`);
});

test.each([
  '+49 (0)30 123-45/6',
  '+49 30 123-45',
  '+49301234',
  '-5',
  '-',
  '+',
  '  +49.30',
  '0',
  '',
  'a=b',
  "it's",
  'a, -5, =x',
  '1 = 1',
])('the text %j stays as it was typed', (text) => {
  expect(written(text)).toBe(`"${text}"`);
});

test.each(['-5', '"-5"', '"+49 30 1"'])('in the first column, %s gets an apostrophe', (json) => {
  expect(csvLine([json, '-5'])).toBe(`"'${JSON.parse(json)}",-5\r\n`);
});

test('numbers, true and false are not quoted; a missing value is empty; lists and objects are text', () => {
  const cells = ['0', '-5', '1.50', 'true', 'false', 'null', '""', '[1, "a"]', '{"a": "=;="}'];
  expect(csvLine(cells)).toBe(`0,-5,1.50,true,false,,"","[1, ""a""]","{""a"": ""=;'=""}"\r\n`);
});

test('the longest texts of a row that is too long for a cell of Excel are cut', () => {
  const ending = '… [cut]';
  const whole = 'x'.repeat(rowCharactersMax - 3);
  expect(csvLine([`"${whole}"`])).toBe(`"${whole}"\r\n`);
  const cut = csvLine([`"${whole}"`, '"short"', `"${'"=;='.repeat(32_000)}"`, '9'.repeat(40_000)]);
  expect(cut.length).toBeLessThan(rowCharactersMax);
  const cells = excel(cut, ',');
  expect(cells).toHaveLength(4);
  expect(cells[1]).toBe('short');
  for (const cell of [cells[0], cells[2], cells[3]]) expect(cell?.endsWith(ending)).toBe(true);
  const many = csvLine(Array.from({ length: 514 }, () => `"${'"'.repeat(300)}"`));
  expect(many.length).toBeLessThan(rowCharactersMax);
  expect(excel(many, ',')).toHaveLength(514);
});
