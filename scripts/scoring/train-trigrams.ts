import {
  addSpelling,
  gibberishLettersMin,
  letterOf,
  type TrigramModel,
  trigramSymbols,
} from '../../src/domain/score/models/trigrams.ts';
import { readNameLists } from './names/name-lists.ts';
import { partOf, quantile, type TuningData } from './tuning-data.ts';

/** Each country counts like this many names, however short its list: the large lists know few small languages. */
const namesPerCountry = 1_500;
/** How often each name of a country is repeated to find the thresholds, for the same reason. */
const repeatsInThresholds = 2;
/** How much the pair and the single letter count where a triple or a pair is rare. */
const pairWeight = 30;
const letterWeight = 100;
const falseAlarms = { doubtful: 0.03, gibberish: 0.007, certain: 0.001 };
// There are too few longer names to distinguish them by length.
const lettersMax = 10;
const sixteenths = 16;
const lowest = -127;

/** Mainly from names; words of messages keep ordinary English from looking random. */
export function trainTrigrams({ firstNames, surnames, customerMessages, sms }: TuningData): TrigramModel {
  const names = [...firstNames, ...surnames];
  const words = new Set(
    [...customerMessages, ...sms.filter(({ isSpam }) => !isSpam).map(({ text }) => text)]
      .filter((text) => partOf(text) === 'train')
      .flatMap((text) => text.toLowerCase().split(/[^a-z]+/))
      .filter((word) => word.length > 2),
  );
  const counts = new Float64Array(trigramSymbols ** 3);
  for (const name of names) if (partOf(name) === 'train') count(name, counts, 1);
  for (const word of words) count(word, counts, 1);
  const countries = readNameLists().map(({ first, last }) => wordsOf([...first, ...last]));
  for (const list of countries) {
    const trained = list.filter((name) => partOf(name) === 'train');
    for (const name of trained) count(name, counts, namesPerCountry / trained.length);
  }
  const table = logarithms(counts);
  const unseen = (list: readonly string[]) => list.filter((name) => partOf(name) === 'calibrate');
  const rare = countries.flatMap((list) => unseen(list));
  const calibrating = [...unseen(names), ...Array.from({ length: repeatsInThresholds }, () => rare).flat()];
  return {
    table,
    doubtful: thresholds(table, calibrating, falseAlarms.doubtful),
    gibberish: thresholds(table, calibrating, falseAlarms.gibberish),
    certain: thresholds(table, calibrating, falseAlarms.certain),
  };
}

/** Parts of a double name are judged separately. */
function wordsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => name.split('-'));
}

function count(word: string, counts: Float64Array, weight: number): void {
  let context = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = letterOf(word.charCodeAt(at));
    if (letter === 0) continue;
    add(counts, context * trigramSymbols + letter, weight);
    context = (context % trigramSymbols) * trigramSymbols + letter;
  }
  add(counts, context * trigramSymbols, weight);
}

function add(counts: Float64Array, place: number, weight: number): void {
  counts[place] = (counts[place] as number) + weight;
}

/** Smoothed with the pair and the letter alone, so that a rare pair does not penalise what follows. */
function logarithms(counts: Float64Array): Int8Array {
  const pairs = foldedTo(counts, trigramSymbols ** 2);
  const letters = foldedTo(pairs, trigramSymbols);
  const total = sum(letters);
  const table = new Int8Array(counts.length);
  for (let context = 0; context < trigramSymbols ** 2; context++) {
    const seen = sum(counts.subarray(context * trigramSymbols, (context + 1) * trigramSymbols));
    const last = (context % trigramSymbols) * trigramSymbols;
    const lastSeen = sum(pairs.subarray(last, last + trigramSymbols));
    for (let symbol = 0; symbol < trigramSymbols; symbol++) {
      const alone = (letters[symbol] as number) / total;
      const byPair = ((pairs[last + symbol] as number) + letterWeight * alone) / (lastSeen + letterWeight);
      const inContext = counts[context * trigramSymbols + symbol] as number;
      const chance = (inContext + pairWeight * byPair) / (seen + pairWeight);
      table[context * trigramSymbols + symbol] = Math.max(lowest, Math.round(Math.log2(chance) * sixteenths));
    }
  }
  return table;
}

/** Sums over what stands before. */
function foldedTo(counts: Float64Array, size: number): Float64Array {
  const folded = new Float64Array(size);
  for (let place = 0; place < counts.length; place++) {
    folded[place % size] = (folded[place % size] as number) + (counts[place] as number);
  }
  return folded;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function thresholds(table: Int8Array, names: readonly string[], share: number): number[] {
  const byLength = Array.from({ length: lettersMax + 1 }, (): number[] => []);
  for (const name of names) {
    const spelling = { sum: 0, letters: 0 };
    addSpelling({ table }, name, 0, name.length, spelling);
    if (spelling.letters > 0) {
      byLength[Math.min(spelling.letters - 1, lettersMax)]?.push(spelling.sum / spelling.letters);
    }
  }
  return byLength.map((scores, length) =>
    length < gibberishLettersMin ? lowest : Math.round(quantile(scores, share) * 100) / 100,
  );
}
