import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodesPage } from '../../scripts/reference/error-codes.ts';
import { describedMetrics, metricsPage } from '../../scripts/reference/metrics.ts';
import { problemNotes } from '../../scripts/reference/problem-notes.ts';
import { problems } from '../../src/contract/problem.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

test('every error code says when it comes and what to do: scripts/reference/problem-notes.ts', () => {
  const silent = Object.keys(problems).filter((code) => !Object.hasOwn(problemNotes, code));
  expect(silent).toEqual([]);
});

test('the page of error codes is what the table says: run npm run docs:reference after a change', () => {
  expect(read('error-codes.md')).toBe(errorCodesPage());
});

test('the page of metrics is what the registry says: run npm run docs:reference after a change', () => {
  expect(read('metrics.md')).toBe(metricsPage());
});

test('every metric says what it means in a sentence', () => {
  expect(describedMetrics().filter(({ help }) => !/^\S.{8,}\.$/.test(help))).toEqual([]);
});
