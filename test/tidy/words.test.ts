import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everything, filesIn, root, type SourceFile } from './files.ts';

/** The words of CONTRIBUTING.md that have no right use in this repository, with what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:anew|afresh)\b/i, 'again'],
  [/\bdeeds?\b/i, 'action'],
  [/\b(?:he|she|his|him)\b/, 'they'],
  [/\bin vain\b/i, 'without success'],
  [/\bbelongs? into\b/i, 'belongs in'],
  [/\bsurface 1[ab]\b/i, 'token surface, webhook surface'],
  [/\b(?:secrets?|keys?) verif(?:y|ies)\b/i, 'is valid'],
  [/\bnot yours to see\b/i, 'owners only'],
];

// What senders write, and what they do wrong, is quoted as it comes.
const isQuoted = /^(?:scripts\/scoring\/|src\/domain\/score\/|test\/tidy\/|CONTRIBUTING\.md)/;

const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));
const texts: SourceFile[] = [
  ...pages,
  ...everything,
  ...['docs', 'src', 'web', 'site', 'clients', 'packaging'].flatMap((folder) =>
    filesIn(folder, '.md', '.mjs', '.yml'),
  ),
].filter(({ path }) => !isQuoted.test(path));

test.each(words)('no text says %s: see the words in CONTRIBUTING.md', (word, better) => {
  const lines = texts.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) => (word.test(line) ? [`${path}:${i + 1} say "${better}": ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});
