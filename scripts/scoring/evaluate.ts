import { loadScoringData } from '../../src/domain/score/data.ts';
import { createScorer } from '../../src/domain/score/scorer.ts';
import { compileScoring } from '../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../src/domain/score/settings/settings.ts';
import { evaluateFloods } from './evaluate-floods.ts';
import { evaluateModels } from './evaluate-models.ts';
import { leadFamilies } from './lead-families.ts';
import { readTuningData } from './tuning-data.ts';

/** Measures the scorer on data that its models have not seen. `--misses` lists the errors. */
const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Pass the folder with the tuning data: npm run eval:scoring -- <folder>');
const showsMisses = flags.includes('--misses');

const targets: Readonly<Record<string, { suspect: number; spam?: number }>> = {
  'bad: gibberish': { suspect: 0.98, spam: 0.9 },
  'bad: sales': { suspect: 0.7 },
  bad: { suspect: 0.85 },
};

const data = readTuningData(folder);
const scoringData = loadScoringData();
const scorer = createScorer(scoringData);
const form = compileScoring(defaultScoringSettings, [], 0);

for (const { name, isClean, leads } of leadFamilies(data)) {
  const scores = leads.map((lead) => ({ lead, ...scorer.score(lead, form, { now: 0 }) }));
  const suspect = scores.filter(({ verdict }) => verdict !== 'clean').length / scores.length;
  const spam = scores.filter(({ verdict }) => verdict === 'spam').length / scores.length;
  const target = Object.entries(targets).find(([start]) => name.startsWith(start))?.[1];
  const isMet = isClean
    ? suspect <= 0.015 && spam <= 0.001
    : suspect >= (target?.suspect ?? 0) && spam >= (target?.spam ?? 0);
  print(
    `${isMet ? 'met   ' : 'MISSED'} ${name.padEnd(44)} suspect or worse ${percent(suspect)}, spam ${percent(spam)} of ${scores.length}`,
  );
  if (!showsMisses) continue;
  for (const { lead, risk, reasons } of scores
    .filter(({ verdict }) => (verdict === 'clean') !== isClean)
    .slice(0, 40)) {
    print(
      `         ${risk} ${JSON.stringify(lead).slice(0, 260)} ${reasons.map(({ code, points }) => `${code} ${points}`).join(', ')}`,
    );
  }
}
for (const line of [...evaluateFloods(scorer), ...evaluateModels(data, scoringData)]) print(line);

function percent(share: number): string {
  return `${(share * 100).toFixed(2).padStart(6)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
