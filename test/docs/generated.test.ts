import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describedMetrics } from '../../scripts/pages/metrics.ts';
import { problemNotes } from '../../scripts/pages/problem-notes.ts';
import { generatedPages } from '../../scripts/pages/write.ts';
import { problems } from '../../src/contract/problem.ts';

test.each(Object.entries(generatedPages))(
  'docs/%s matches the code: run npm run docs after a change',
  (name, page) => {
    expect(readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')).toBe(page());
  },
);

test('every error code says when it occurs and what to do: scripts/pages/problem-notes.ts', () => {
  const silent = Object.keys(problems).filter((code) => !Object.hasOwn(problemNotes, code));
  expect(silent).toEqual([]);
});

test('the help of every metric is a sentence', () => {
  expect(describedMetrics().filter(({ help }) => !/^\S.{8,}\.$/.test(help))).toEqual([]);
});
