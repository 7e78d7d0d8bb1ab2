import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadScoringData, type ScoringData } from '../../../src/domain/score/data.ts';
import { createScorer, type Scorer } from '../../../src/domain/score/scorer.ts';
import { readCorpus, readKeptApart } from '../corpus/corpus.ts';
import { unseenModels } from '../train-text.ts';
import { readTuningData, type TuningData } from '../tuning-data.ts';
import { corpusLeads } from './corpus-leads.ts';
import { scoredFamilies } from './family-rows.ts';
import { goalRows } from './goals.ts';
import { evaluateFloods } from './parts/evaluate-floods.ts';
import { evaluateLinks } from './parts/evaluate-links.ts';
import { evaluateModels } from './parts/evaluate-models.ts';
import { evaluateNames } from './parts/evaluate-names.ts';
import {
  estimateLines,
  familyLines,
  familyMissLines,
  goalLines,
  leakLines,
  missLines,
  tunedLines,
} from './report.ts';
import { rowsOf } from './rows.ts';
import { leaksOf } from './split-check.ts';

/**
 * Predicts how the scorer does on texts of sources that nobody has seen. `--misses` or `--misses=<family>` lists its
 * errors, `--json` prints the rows for programs. `--kept-apart` measures the shipped scorer on authors whom nobody tuned
 * anything on: look at it when all is done, and at its goals only, never at its errors.
 */
const usage =
  'npm run eval:scoring -- <folder with the tuning data> [--misses[=<family>]] [--json] | [--kept-apart]';

/** More parts, each with lines of its own: lists, models and rules that are measured without texts. */
const parts: readonly ((data: TuningData, scoringData: ScoringData, scorer: Scorer) => string[])[] = [
  ({ customerMessages }, _, scorer) => evaluateFloods(scorer, customerMessages),
  evaluateModels,
  (_, scoringData) => evaluateLinks(scoringData),
  (_, __, scorer) => evaluateNames(scorer),
];

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = flags.find((flag) => !/^--(?:json|kept-apart|misses(?:=.+)?)$/.test(flag));
if (unknown !== undefined) fail(`Unknown option ${unknown}. Usage: ${usage}`);
else if (folder === undefined) fail(`Pass the folder with the tuning data: ${usage}`);
else if (!existsSync(join(folder, 'customer-messages.txt'))) fail(`There is no tuning data in ${folder}.`);
else if (flags.includes('--kept-apart')) measureKeptApart(folder);
else evaluate(folder);

function measureKeptApart(from: string): void {
  const scoringData = loadScoringData();
  const texts = readKeptApart(from);
  const shipped = new Map(texts.map(({ source }) => [source, scoringData.text]));
  print(goalLines(goalRows(corpusLeads(texts, shipped, readTuningData(from), scoringData))));
}

function evaluate(from: string): void {
  const data = readTuningData(from);
  const scoringData = loadScoringData();
  const scorer = createScorer(scoringData);
  const texts = readCorpus(from);
  const { bySource, thresholds } = unseenModels(texts);
  const leads = corpusLeads(texts, bySource, data, scoringData);
  const families = scoredFamilies(data, scorer);
  const familyRows = families.map(({ row }) => row);
  const partLines = parts.flatMap((part) => part(data, scoringData, scorer));
  // Other weights have other thresholds, which are what is compared.
  const { asking, weak, linked, strong } = scoringData.text;
  const isCurrent = isDeepStrictEqual(thresholds, { asking, weak, linked, strong });
  const results = { isCurrent, rows: rowsOf(leads), goals: goalRows(leads), leaks: leaksOf(texts) };
  if (flags.includes('--json')) {
    print([JSON.stringify({ ...results, families: familyRows, parts: partLines }, null, 2)]);
    return;
  }
  if (!isCurrent)
    print([
      'The shipped text model was not trained on this data: do not rely on "seen" and "gap". Run npm run models:scoring.',
    ]);
  print(estimateLines(results.rows));
  print(leakLines(results.leaks));
  print(tunedLines());
  print(familyLines(familyRows));
  print(goalLines(results.goals));
  print(['Lists, models and memory', ...partLines]);
  const misses = flags.find((flag) => flag.startsWith('--misses'));
  if (misses === undefined) return;
  const family = misses.split('=')[1] ?? null;
  print([...missLines(leads, family), ...familyMissLines(families, family)]);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** A section. */
function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
