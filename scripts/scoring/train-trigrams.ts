import {
  addSpelling,
  gibberishLettersMin,
  letterOf,
  type TrigramModel,
  trigramSymbols,
} from '../../src/domain/score/models/trigrams.ts';
import { partOf, quantile, type TuningData } from './tuning-data.ts';

const falseAlarms = { doubtful: 0.02, gibberish: 0.0035, certain: 0.0005 };
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
  for (const name of names) if (partOf(name) === 'train') count(name, counts);
  for (const word of words) count(word, counts);
  const table = logarithms(counts);
  const calibrating = names.filter((name) => partOf(name) === 'calibrate');
  return {
    table,
    doubtful: thresholds(table, calibrating, falseAlarms.doubtful),
    gibberish: thresholds(table, calibrating, falseAlarms.gibberish),
    certain: thresholds(table, calibrating, falseAlarms.certain),
  };
}

function count(word: string, counts: Float64Array): void {
  let context = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = letterOf(word.charCodeAt(at));
    if (letter === 0) continue;
    add(counts, context * trigramSymbols + letter);
    context = (context % trigramSymbols) * trigramSymbols + letter;
  }
  add(counts, context * trigramSymbols);
}

function add(counts: Float64Array, place: number): void {
  counts[place] = (counts[place] as number) + 1;
}

/** Smoothed with the letter pair before, so that a rare pair does not penalise what follows. */
function logarithms(counts: Float64Array): Int8Array {
  const pairs = new Float64Array(trigramSymbols ** 2);
  for (let place = 0; place < counts.length; place++) {
    const pair = place % trigramSymbols ** 2;
    pairs[pair] = (pairs[pair] as number) + (counts[place] as number);
  }
  const table = new Int8Array(counts.length);
  for (let context = 0; context < trigramSymbols ** 2; context++) {
    const seen = sum(counts.subarray(context * trigramSymbols, (context + 1) * trigramSymbols));
    const last = (context % trigramSymbols) * trigramSymbols;
    const lastSeen = sum(pairs.subarray(last, last + trigramSymbols));
    for (let symbol = 0; symbol < trigramSymbols; symbol++) {
      const byPair = ((pairs[last + symbol] as number) + 0.5) / (lastSeen + 0.5 * trigramSymbols);
      const chance = ((counts[context * trigramSymbols + symbol] as number) + 4 * byPair) / (seen + 4);
      table[context * trigramSymbols + symbol] = Math.max(lowest, Math.round(Math.log2(chance) * sixteenths));
    }
  }
  return table;
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
