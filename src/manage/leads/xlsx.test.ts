import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOf, rowsOf } from '../../../test/support/workbook.ts';
import { xlsxChunks } from './xlsx.ts';

async function workbookOf(names: readonly string[], values: readonly (readonly unknown[])[]) {
  const json = values.map((row) => row.map((value) => JSON.stringify(value)));
  async function* rows() {
    yield* json;
  }
  return buffer(xlsxChunks({ names, rows: rows() }));
}

const hostile = fc.constantFrom(
  ...'=+-@\t\r\n<>&"\'_x0004D \0\x01\v\x1f\x7f\x85\ud800\udc00\ufffe\uffff\u2028',
  '_x003D_',
  ']]>',
  '&#0;',
);
const texts = fc.string({ unit: fc.oneof(hostile, fc.string({ unit: 'binary' })) });

/** What a cell of a spreadsheet can have of a text. */
function possible(text: string): string {
  const shown = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  return shown.replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
}

test('every cell and every heading is text, as it was sent, without what XML cannot contain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts, { minLength: 2, maxLength: 2 }),
      fc.array(fc.tuple(texts, texts)),
      async (names, values) => {
        const headings = ['x', ...names.slice(1)];
        const rows = rowsOf(await workbookOf(headings, values));
        expect(rows).toEqual([headings, ...values].map((row) => row.map(possible)));
      },
    ),
    { numRuns: 300 },
  );
});

test('numbers, true, lists and objects are text too, and a missing value is an empty cell', async () => {
  const row = [-5, 1e21, true, null, '', ['=1'], { a: '=1' }, '2026-01-02', '007', 'https://example.com'];
  const [, shown] = rowsOf(await workbookOf(row.map(String), [row]));
  expect(shown).toEqual([
    '-5',
    '1e+21',
    'true',
    '',
    '',
    '["=1"]',
    '{"a":"=1"}',
    '2026-01-02',
    '007',
    'https://example.com',
  ]);
});

test('a text is cut at what a cell of Excel can have, and says so', async () => {
  const whole = '漢'.repeat(32_767);
  const [[heading] = [], [cell] = [], [cut] = []] = rowsOf(
    await workbookOf([`${whole}x`], [[whole], [`${whole}x`]]),
  ) as string[][];
  expect(cell).toBe(whole);
  for (const text of [heading, cut]) {
    expect(text).toHaveLength(32_767);
    expect(text?.endsWith('漢… [cut]')).toBe(true);
  }
});

test('cells have the format "Text", so that an edited cell does not become a formula; headings stay in view', async () => {
  const parts = partsOf(await workbookOf(['a'], [['=1']]));
  expect(parts.get('xl/styles.xml')).toMatch(/formatCode="@"/);
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('state="frozen"');
  expect(parts.get('xl/workbook.xml')).toContain('name="Leads"');
});

test('rows are taken when they are read, and a reader who leaves ends them', async () => {
  let taken = 0;
  let isOver = false;
  async function* rows() {
    try {
      for (;;) {
        taken++;
        yield [JSON.stringify(hash('sha256', String(taken)))];
      }
    } finally {
      isOver = true;
    }
  }
  let bytes = 0;
  for await (const chunk of xlsxChunks({ names: ['a'], rows: rows() })) {
    bytes += chunk.length;
    if (bytes > 100_000) break;
  }
  expect(isOver).toBe(true);
  // A row has at least 32 bytes, however it is compressed.
  expect(taken).toBeLessThan(20_000);
});

test('an error in the middle of the rows is an error of the file', async () => {
  async function* rows() {
    for (let n = 0; n < 5_000; n++) yield [JSON.stringify(`row ${n}`)];
    throw new Error('the database is down');
  }
  await expect(buffer(xlsxChunks({ names: ['a'], rows: rows() }))).rejects.toThrow('the database is down');
});
