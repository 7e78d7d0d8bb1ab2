import type { LeadFields } from '../../../../src/domain/lead/lead.ts';
import type { ScoringData } from '../../../../src/domain/score/data.ts';
import { HashTable } from '../../../../src/domain/score/reading/hash-table.ts';
import { wordHash } from '../../../../src/domain/score/reading/word-hash.ts';
import type { Score } from '../../../../src/domain/score/score.ts';
import { createScorer } from '../../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../../src/domain/score/settings/settings.ts';
import { readTable } from '../../../../src/domain/words/word-table.ts';

/** A short text with a link, written manually. */
interface LinkSample {
  readonly kind: string;
  readonly text: string;
}

const linkFiles = ['honest', 'bad'] as const;
type LinkFile = (typeof linkFiles)[number];

/** Half of the samples were never looked at while points and tables were tuned. By hash, so that the halves never mix. */
type LinkPart = 'tuned' | 'unseen';

function readLinkSamples(file: LinkFile, part: LinkPart): LinkSample[] {
  const samples: LinkSample[] = [];
  readTable(new URL(`../../links/${file}.txt`, import.meta.url), (text, kind) => {
    if (((wordHash(text) >>> 5) % 2 === 0) === (part === 'tuned')) samples.push({ kind, text });
  });
  return samples;
}

/** How leads with links are judged: without the model of wording, and by everything. */
export function evaluateLinks(data: ScoringData): string[] {
  const lines: string[] = [];
  for (const part of ['tuned', 'unseen'] as const)
    for (const file of linkFiles) {
      const samples = readLinkSamples(file, part);
      lines.push(
        lineOf(`links: ${file}, ${part}, by links and phrases`, samples, scorerOf(withoutTextModel(data))),
        lineOf(`links: ${file}, ${part}, by everything`, samples, scorerOf(data)),
      );
    }
  return lines;
}

/** As if no text had been learned. */
function withoutTextModel(data: ScoringData): ScoringData {
  const none = Number.MAX_SAFE_INTEGER;
  return {
    ...data,
    text: { weights: new HashTable(), bias: 0, asking: -none, weak: none, linked: none, strong: none },
  };
}

function scorerOf(data: ScoringData): (lead: LeadFields) => Score {
  const scorer = createScorer(data);
  const form = compileScoring(defaultScoringSettings, [], 0);
  return (lead) => scorer.score(lead, form, { now: 0 });
}

/** From a person at a free email provider, so that neither name nor address adds anything. */
function leadWith(message: string): LeadFields {
  return { name: 'Karen Doyle', email: 'karen.doyle@gmail.com', message };
}

function lineOf(title: string, samples: readonly LinkSample[], score: (lead: LeadFields) => Score): string {
  const verdicts = samples.map(({ text }) => score(leadWith(text)).verdict);
  const suspect = verdicts.filter((verdict) => verdict !== 'clean').length;
  const spam = verdicts.filter((verdict) => verdict === 'spam').length;
  const { length } = samples;
  return `       ${title.padEnd(52)} suspect or worse ${share(suspect, length)}, spam ${share(spam, length)} of ${length}`;
}

/** With the limits of Wilson's interval, at 95 %. */
function share(count: number, all: number): string {
  if (all === 0) return '-';
  const z = 1.96;
  const part = count / all;
  const middle = (part + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z / (1 + (z * z) / all)) * Math.sqrt((part * (1 - part)) / all + (z * z) / (4 * all * all));
  const percent = (value: number) => (Math.max(0, value) * 100).toFixed(1);
  return `${percent(part)} % (${percent(middle - half)} to ${percent(middle + half)})`;
}
