import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { readTable, readWordSets } from './word-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'word-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

function table(text: string): URL {
  const path = join(folder, 'words.txt');
  writeFileSync(path, text);
  return pathToFileURL(path);
}

test('comments, blank lines and surrounding spaces are ignored', () => {
  const sets = readWordSets(table('# Fruit.\n\n[fruit]\n apple \nred pear\n# Last one.\n[tree]\noak'), [
    'fruit',
    'tree',
  ]);
  expect(sets).toEqual({ fruit: new Set(['apple', 'red pear']), tree: new Set(['oak']) });
});

test.each([
  ['an unknown section', '[fruit]\napple\n[fruits]\npear', 'words.txt:4: unknown section [fruits]'],
  ['an entry outside a section', 'apple\n[fruit]\npear', 'words.txt:1: unknown section []'],
  ['a repeated entry', '[fruit]\napple\n\napple', 'words.txt:4: "apple" is already in [fruit]'],
  ['a missing section', '# Nothing yet.', 'words.txt: [fruit] is missing'],
])('%s is an error that names the file and line', (_, text, message) => {
  expect(() => readWordSets(table(text), ['fruit'])).toThrow(message);
});

test('an error of the reading code names the line that caused it', () => {
  const read = () =>
    readTable(table('ok\n\n(bad'), (entry) => {
      new RegExp(entry);
    });
  expect(read).toThrow(/^words\.txt:3: Invalid regular expression/);
});
