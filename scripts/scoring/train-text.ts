import { longTextWords } from '../../src/domain/score/families/links/links.ts';
import {
  featuresPerWord,
  lengthDamping,
  pairPlace,
  type TextModel,
  textFeatures,
  textScore,
  wordingClasses,
} from '../../src/domain/score/models/text-model.ts';
import { HashTable } from '../../src/domain/score/reading/hash-table.ts';
import { TextScan } from '../../src/domain/score/reading/scan.ts';
import type { CorpusText } from './corpus/corpus.ts';
import { trainLinearModel } from './linear-model.ts';
import { quantile } from './tuning-data.ts';

const seed = 20_261_117;
/** A feature of fewer clusters of texts says more about its author than about the subject. */
const wordClustersMin = 2;
const pairClustersMin = 3;
/** Lighter features are dropped: they cost space and carry noise. */
const weightMin = 0.4;
const scale = 12;
/** How many texts of one language a source counts for at most. Ordinary chat keeps more of its weight: people write leads like it. */
const groupTextsMax = { wanted: 700, unwanted: 400 };
const bias = 0.5;
const wordsMin = 5;
/** How many wanted texts of sources that the model has not seen may be above a threshold. */
const falseAlarms = { asking: 0.08, weak: 0.022, linked: 0.038, strong: 0.008 };
/** Taking a wanted text for an unwanted one is worse than the reverse. */
const wantedWeight = 1.2;
/** Friends' text messages and video comments are no leads: they teach words, but set no thresholds. */
const unlike: ReadonlySet<string> = new Set(['sms', 'comments', 'emails']);

/** As stored: pairs of a feature and its value. */
export interface TrainedText extends Omit<TextModel, 'weights'> {
  readonly pairs: Int32Array;
}

/** A model that has not seen one source, and how it scores the wanted texts of that source. */
interface Unseen {
  readonly source: string;
  readonly trained: Pick<TrainedText, 'pairs' | 'bias'>;
  readonly wanted: readonly ScoredText[];
}

interface ScoredText {
  readonly score: number;
  /** Long texts have links for many reasons, and the scorer gives them little weight there. */
  readonly isShortWithLink: boolean;
}

/**
 * Trains on all sources. The thresholds come from models that have not seen the source they are measured on, because
 * the wanted texts of an unknown author score higher than those of a known one.
 */
export function trainText(texts: readonly CorpusText[]): TrainedText {
  return { ...trainWeights(texts), ...thresholdsOf(trainWithoutEach(texts)) };
}

type Thresholds = Pick<TextModel, keyof typeof falseAlarms>;

export interface UnseenModels {
  readonly bySource: ReadonlyMap<string, TextModel>;
  /** Those of the model of all sources. */
  readonly thresholds: Thresholds;
}

/** For each source, a model whose weights and thresholds know neither it nor near duplicates of its texts. */
export function unseenModels(texts: readonly CorpusText[]): UnseenModels {
  const unseen = trainWithoutEach(texts);
  const models = unseen.map(({ source, trained }): [string, TextModel] => [
    source,
    { ...modelOf(trained), ...thresholdsOf(unseen.filter((other) => other.source !== source)) },
  ]);
  return { bySource: new Map(models), thresholds: thresholdsOf(unseen) };
}

function trainWithoutEach(texts: readonly CorpusText[]): Unseen[] {
  return [...new Set(texts.map(({ source }) => source))].map((source) => {
    const trained = trainWeights(withoutSource(texts, source));
    const model = modelOf(trained);
    const wanted = texts
      .filter((text) => text.source === source && text.isWanted)
      .map(({ text }) => scored(model, text))
      .filter((scored) => scored !== null);
    return { source, trained, wanted };
  });
}

function thresholdsOf(unseen: readonly Unseen[]): Thresholds {
  const texts = unseen.filter(({ source }) => !unlike.has(source)).flatMap(({ wanted }) => wanted);
  const linked = texts.filter(({ isShortWithLink }) => isShortWithLink);
  return {
    asking: thresholdOf(texts, falseAlarms.asking),
    weak: thresholdOf(texts, falseAlarms.weak),
    linked: thresholdOf(linked, falseAlarms.linked),
    strong: thresholdOf(texts, falseAlarms.strong),
  };
}

function thresholdOf(texts: readonly ScoredText[], share: number): number {
  const scores = texts.map(({ score }) => score);
  return Math.round(quantile(scores, 1 - share) * 10) / 10;
}

/** Neither the source nor near duplicates of its texts elsewhere. */
export function withoutSource(texts: readonly CorpusText[], source: string): CorpusText[] {
  const clusters = new Set(texts.filter((text) => text.source === source).map(({ cluster }) => cluster));
  return texts.filter(({ cluster }) => !clusters.has(cluster));
}

function modelOf({ pairs, bias }: Pick<TrainedText, 'pairs' | 'bias'>): TextModel {
  const weights = new HashTable([], pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) weights.set(pairs[at] as number, pairs[at + 1] as number);
  return { weights, bias, asking: 0, weak: 0, linked: 0, strong: 0 };
}

const scan = new TextScan();
/** While the features themselves are read. */
const noWeights = new HashTable();

/** Null for a text that is too short for the model. */
function scored(model: TextModel, text: string): ScoredText | null {
  scan.scan(text);
  if (scan.wordCount < wordsMin) return null;
  textFeatures.take(scan, model.weights);
  const score = textScore(model);
  return score === null
    ? null
    : { score, isShortWithLink: scan.linkCount > 0 && scan.wordCount < longTextWords };
}

interface FeatureText {
  readonly text: CorpusText;
  readonly hashes: readonly number[];
  /** Those of them that stand for two words. */
  readonly pairs: readonly number[];
  readonly damping: number;
}

function trainWeights(texts: readonly CorpusText[]): Pick<TrainedText, 'pairs' | 'bias'> {
  const read = texts.map(featuresOf).filter(({ hashes }) => hashes.length > 0);
  const slots = slotsOf(read);
  const weightOf = balance(read);
  const examples = read.map(({ text, hashes, damping }) => ({
    slots: hashes.map((hash) => slots.get(hash)).filter((slot) => slot !== undefined),
    damping,
    isPositive: !text.isWanted,
    weight: weightOf(text),
  }));
  const options = { epochs: 20, rate: 0.1, decay: 3e-6, dropout: 0.5, scale, seed, fixedBias: bias };
  const linear = trainLinearModel(examples, { ...options, slotCount: slots.size });
  return { pairs: pairsOf(slots, linear.weights, classesOf(read, slots)), bias: linear.bias };
}

function featuresOf(text: CorpusText): FeatureText {
  scan.scan(text.text);
  textFeatures.take(scan, noWeights);
  const hashes = textFeatures.hashes.subarray(0, textFeatures.length);
  return {
    text,
    hashes: [...new Set(hashes)].filter((hash) => hash !== 0),
    pairs: [...hashes.subarray(0, textFeatures.wordCount * featuresPerWord)].filter(
      (_, place) => place % featuresPerWord === pairPlace,
    ),
    damping: lengthDamping(textFeatures.wordCount),
  };
}

/** A number for each feature of enough clusters. */
function slotsOf(read: readonly FeatureText[]): Map<number, number> {
  const clusters = new Map<number, Set<number>>();
  for (const { text, hashes } of read) {
    for (const hash of hashes) {
      const known = clusters.get(hash);
      if (known === undefined) clusters.set(hash, new Set([text.cluster]));
      else if (known.size < pairClustersMin) known.add(text.cluster);
    }
  }
  const pairs = new Set(read.flatMap((text) => text.pairs));
  const kept = [...clusters].filter(([hash, { size }]) =>
    pairs.has(hash) ? size >= pairClustersMin : size >= wordClustersMin,
  );
  return new Map(kept.map(([hash], slot) => [hash, slot]));
}

/** Large collections count no more than small ones, and wanted texts together as much as unwanted ones. */
function balance(read: readonly FeatureText[]): (text: CorpusText) => number {
  const groupOf = ({ source, isWanted, language }: CorpusText) => `${source} ${isWanted} ${language}`;
  const counts = new Map<string, number>();
  for (const { text } of read) counts.set(groupOf(text), (counts.get(groupOf(text)) ?? 0) + 1);
  const ofGroup = (text: CorpusText) => {
    const textsMax = groupTextsMax[text.isWanted ? 'wanted' : 'unwanted'];
    return Math.min(1, textsMax / (counts.get(groupOf(text)) ?? 1));
  };
  const total = (isWanted: boolean) =>
    read.filter(({ text }) => text.isWanted === isWanted).reduce((sum, { text }) => sum + ofGroup(text), 0);
  const ofWanted = (wantedWeight * total(false)) / total(true);
  return (text) => ofGroup(text) * (text.isWanted ? ofWanted : 1);
}

/** The class of unwanted texts in which a feature is most common. */
function classesOf(read: readonly FeatureText[], slots: ReadonlyMap<number, number>): Uint8Array {
  const counts = wordingClasses.map(() => new Float64Array(slots.size).fill(0.5));
  const totals = wordingClasses.map(() => 1);
  for (const { text, hashes } of read) {
    const place = (wordingClasses as readonly (string | null)[]).indexOf(text.textClass);
    const count = counts[place];
    if (count === undefined) continue;
    totals[place] = (totals[place] as number) + 1;
    for (const hash of hashes) {
      const slot = slots.get(hash);
      if (slot !== undefined) count[slot] = (count[slot] as number) + 1;
    }
  }
  return Uint8Array.from({ length: slots.size }, (_, slot) => {
    const shares = counts.map((count, place) => (count[slot] as number) / (totals[place] as number));
    return shares.indexOf(Math.max(...shares));
  });
}

function pairsOf(slots: ReadonlyMap<number, number>, weights: Int8Array, classes: Uint8Array): Int32Array {
  const pairs = [...slots]
    .filter(([, slot]) => Math.abs(weights[slot] as number) >= weightMin * scale)
    .toSorted(([a], [b]) => a - b)
    .flatMap(([hash, slot]) => [hash, (weights[slot] as number) * 4 + (classes[slot] as number)]);
  return Int32Array.from(pairs);
}
