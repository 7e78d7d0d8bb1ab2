import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CorpusLead } from '../../scripts/scoring/evaluation/corpus-leads.ts';
import { goalRows } from '../../scripts/scoring/evaluation/goals.ts';
import { rowsOf } from '../../scripts/scoring/evaluation/rows.ts';
import type { Verdict } from '../../src/domain/score/score.ts';

const leadOf = (cluster: number, source: string, unseen: Verdict, seen: Verdict): CorpusLead => ({
  source,
  isWanted: false,
  textClass: 'fraud',
  family: 'fraud/crypto',
  language: 'ru',
  text: '',
  cluster,
  lead: {},
  hasLink: false,
  words: 30,
  unseen: {
    score: 0,
    risk: 0,
    grade: 'E',
    verdict: unseen,
    fit: 0,
    intent: 0,
    reasons: [],
    merits: [],
    ruleset: '',
  },
  seen,
});
const leads = [
  leadOf(1, 'ada', 'suspect', 'suspect'),
  leadOf(2, 'ada', 'clean', 'spam'),
  leadOf(3, 'bruno', 'clean', 'suspect'),
  leadOf(4, 'bruno', 'clean', 'clean'),
];

test('a row has the estimate without the source, the one with it, their gap, and the range of sources', () => {
  const row = rowsOf(leads).find(({ family, language }) => family === 'fraud/crypto' && language === null);
  expect(row).toMatchObject({
    basis: 'unseen author',
    suspectOrWorse: { unseen: { share: 0.25, clusters: 4 }, seen: { share: 0.75 }, points: -50 },
    spam: { unseen: { share: 0 }, seen: { share: 0.25 }, points: -25 },
    bySource: { lowest: 0, highest: 0.5 },
  });
});

test('a goal is met by the estimate without the source alone', () => {
  const goalOf = (list: readonly CorpusLead[]) => goalRows(list).find(({ title }) => title === 'crypto, ru');
  expect(goalOf(leads)).toMatchObject({ isMet: false, unseen: { share: 0.25 } });
  const found = Array.from({ length: 40 }, (_, cluster) => leadOf(cluster, 'ada', 'suspect', 'clean'));
  expect(goalOf(found)).toMatchObject({ isMet: true, isCertain: true });
  expect(goalOf(found.slice(0, 2))).toMatchObject({ isMet: true, isCertain: false });
});

test('the evaluation asks for the folder with the tuning data, and says if there is none in it', () => {
  const script = join(import.meta.dirname, '../../scripts/scoring/evaluation/evaluate.ts');
  const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^Pass the folder/) });
  const empty = run(import.meta.dirname);
  expect(empty).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^There is no tuning data/),
  });
});
