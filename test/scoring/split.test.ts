import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CorpusText } from '../../scripts/scoring/corpus/corpus.ts';
import { clustersOf } from '../../scripts/scoring/corpus/near-duplicates.ts';
import { readTemplates } from '../../scripts/scoring/corpus/templates.ts';
import { leaksOf } from '../../scripts/scoring/evaluation/split-check.ts';
import { withoutSource } from '../../scripts/scoring/train-text.ts';

const pitch =
  'We noticed that your website could rank far better in search and would like to send you a free report about it, with all errors that we found and what it would cost to have them removed by our team.';
const spun = pitch.replace('noticed', 'saw').replace('free report', 'report');
const question =
  'The pump that we bought in March leaks at the lower seal. Could somebody come and look at it next week, or is there a spare part that we can fit without help?';

const textOf = (source: string, text: string, cluster: number): CorpusText => ({
  source,
  isWanted: true,
  textClass: 'wanted',
  family: 'wanted/other',
  language: 'en',
  text,
  cluster,
});

/** As the corpus does it. */
const clustered = (texts: readonly (readonly [source: string, text: string])[]): CorpusText[] => {
  const clusters = clustersOf(texts.map(([, text]) => ({ text, group: null })));
  return texts.map(([source, text], place) => textOf(source, text, clusters[place] as number));
};

test('a text with some words changed is in the cluster of the original, and another text is not', () => {
  const [first, changed, other] = clustersOf([pitch, spun, question].map((text) => ({ text, group: null })));
  expect(changed).toBe(first);
  expect(other).not.toBe(first);
});

test('texts of one template are in one cluster, however different they became', () => {
  const [first, second] = clustersOf([pitch, question].map((text) => ({ text, group: 'template' })));
  expect(second).toBe(first);
});

test('a model that leaves out a source is not trained on near duplicates of its texts by others', () => {
  const texts = clustered([
    ['ada', pitch],
    ['bruno', spun],
    ['bruno', question],
  ]);
  expect(withoutSource(texts, 'ada').map(({ text }) => text)).toEqual([question]);
});

test('a model that leaves out a source is trained on no cluster of the source and on all others', () => {
  const one = fc.record({
    source: fc.constantFrom('ada', 'bruno', 'chidi'),
    cluster: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(one), (list) => {
      const texts = list.map(({ source, cluster }) => textOf(source, question, cluster));
      const out = new Set(texts.filter(({ source }) => source === 'ada').map(({ cluster }) => cluster));
      const kept = withoutSource(texts, 'ada');
      expect(kept.filter(({ cluster, source }) => out.has(cluster) || source === 'ada')).toEqual([]);
      expect(kept.length).toBe(texts.filter(({ cluster }) => !out.has(cluster)).length);
    }),
  );
});

test('the check of the split reports a text that another source has too, unless both leave together', () => {
  const leaked = leaksOf([textOf('ada', pitch, 1), textOf('bruno', pitch, 2), textOf('bruno', question, 3)]);
  expect(leaked.map(({ source, textsElsewhere }) => [source, textsElsewhere])).toEqual([
    ['ada', 1],
    ['bruno', 0.5],
  ]);
  const together = leaksOf([
    textOf('ada', pitch, 1),
    textOf('bruno', pitch, 1),
    textOf('bruno', question, 3),
  ]);
  expect(together.map(({ runsElsewhere }) => runsElsewhere)).toEqual([0, 0]);
});

test('an author who is kept apart wrote none of the templates that the model learns from', () => {
  const taught = readTemplates('texts');
  const kept = readTemplates('kept-apart');
  expect(kept.length).toBeGreaterThan(1_000);
  const authors = new Set(taught.map(({ author }) => author));
  expect(kept.filter(({ author }) => authors.has(author))).toEqual([]);
  const texts = new Set(taught.map(({ text }) => text));
  expect(kept.filter(({ text }) => texts.has(text))).toEqual([]);
});
