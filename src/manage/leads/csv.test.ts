import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from '../../time/turns.ts';
import { csvLine, jsonCell, longJsonCell, textCell } from './csv.ts';

interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** RFC 4180, implemented independently of the writer. */
function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = line[at] === '"';
    let text = '';
    if (isQuoted) {
      for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
        if (at >= line.length) throw new Error('a quote has no end');
        if (line[at] === '"') at++;
        text += line[at];
      }
      at++;
    } else {
      while (line[at] !== ',' && !line.startsWith('\r\n', at)) {
        if (at >= line.length || line[at] === '"') throw new Error('a bare cell has no end');
        text += line[at++];
      }
    }
    cells.push({ text, isQuoted });
    if (line.startsWith('\r\n', at) && at + 2 === line.length) return cells;
    if (line[at++] !== ',') throw new Error(`no separator behind ${JSON.stringify(text)}`);
  }
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

function beginsFormula(text: string): boolean {
  for (const character of text) {
    if (formulaStarts.includes(character)) return true;
    if (!unseen.has(character.codePointAt(0) as number)) return false;
  }
  return false;
}

function isPhoneNumber(text: string): boolean {
  return [...text].every((character) => '+0123456789 ()-./'.includes(character));
}

const blanks = fc
  .array(fc.constantFrom(...unseen), { maxLength: 4 })
  .map((codes) => String.fromCodePoint(...codes));
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...'=+-@\t\r\n＝＋－＠",;\'|! 0a'), fc.string()),
});
const phoneLike = fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./') });
const texts = fc.oneof(
  anyText,
  phoneLike,
  fc.tuple(blanks, fc.constantFrom(...formulaStarts), anyText).map((parts) => parts.join('')),
);

test('text from senders is quoted, reads back unchanged, and starts no formula unless it looks like a phone number', async () => {
  const turns = new Turns();
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 8 }), async (given) => {
      const json = given.map((text) => JSON.stringify(text));
      const lines = [
        given.map(textCell),
        json.map(jsonCell),
        await Promise.all(json.map((text) => longJsonCell(text, turns))),
      ];
      for (const cells of lines) {
        const read = cellsOf(csvLine(cells));
        expect(
          read.map(({ text }, place) => text.replace(/^'/, () => (given[place]?.startsWith("'") ? "'" : ''))),
        ).toEqual(given);
        for (const { text, isQuoted } of read) {
          expect(isQuoted).toBe(true);
          expect(beginsFormula(text) && !isPhoneNumber(text)).toBe(false);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

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
  '\t+49 30 1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  ' \u3000＝1',
])('the text %j gets an apostrophe', (text) => {
  expect(textCell(text)).toBe(`"'${text}"`);
});

test.each(['+49 (0)30 123-45/6', '-1+1', '+', '  +49.30', '0', '', 'a=b', "it's", 'x\n=1', '1 = 1'])(
  'the text %j stays as it was typed',
  (text) => {
    expect(textCell(text)).toBe(`"${text}"`);
  },
);

test('numbers, true and false are not quoted; a missing value is empty; lists and objects are text', () => {
  const cells = ['-5', '1.50', 'true', 'false', 'null', '""', '[1, "a"]', '{"a": "="}'].map(jsonCell);
  expect(cells).toEqual(['-5', '1.50', 'true', 'false', '', '""', '"[1, ""a""]"', '"{""a"": ""=""}"']);
});

test('a text of any length is one cell', async () => {
  const turns = new Turns();
  const long = `${' '.repeat(20_000)}="${'x"'.repeat(30_000)}`;
  const [cell] = cellsOf(csvLine([await longJsonCell(JSON.stringify(long), turns)]));
  expect(cell).toEqual({ text: `'${long}`, isQuoted: true });
  const digits = '9'.repeat(20_000);
  expect(await longJsonCell(digits, turns)).toBe(digits);
  const list = `[${'1, '.repeat(20_000)}2]`;
  expect(await longJsonCell(list, turns)).toBe(`"${list}"`);
});
