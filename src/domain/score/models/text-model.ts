import type { HashTable } from '../reading/hash-table.ts';
import { signs, type TextScan } from '../reading/scan.ts';
import { baseLetters } from '../tables/letters.ts';

/** What an unwanted text is about, by the number that the model gives a feature. */
export const wordingClasses = ['sales', 'fraud', 'advert'] as const;

/**
 * A linear model that tells somebody who sells to us, deceives us or advertises from somebody who asks us. It knows
 * words, the beginnings of long words and pairs of words; what it does not know weighs nothing, so a language that it was
 * never taught is not held against a lead.
 */
export interface TextModel {
  /** By feature: its weight times four plus the number of its class. */
  readonly weights: HashTable;
  readonly bias: number;
  /** Below this, the text clearly asks for something. */
  readonly asking: number;
  /** From here on, some of the wording is doubtful. */
  readonly weak: number;
  readonly strong: number;
}

const wordsMax = 256;
export const featuresPerWord = 3;
/** Which of them is the pair. */
export const pairPlace = 2;
const beginningLetters = 5;
const beginningFromLetters = 7;
const numberFeature = 0x3c6ef372;
const beginningSeed = 0x2545f491;

/** Features of the whole text, which follow those of its words. */
const structureSeed = 0x6a09e667;
const structureCount = 4;
const marksMax = 3;
const digitsMany = 4;

/**
 * The features of the text that was just scanned: for each word the word itself, its beginning and the pair that it
 * ends; then its questions, exclamations, digits and prices.
 */
export class TextFeatures {
  readonly hashes = new Int32Array(wordsMax * featuresPerWord + structureCount);
  wordCount = 0;

  take(scan: TextScan): void {
    const { wordHashes, wordStarts, wordEnds, text } = scan;
    const count = Math.min(scan.wordCount, wordsMax);
    const { hashes } = this;
    this.wordCount = count;
    let before = 0;
    let at = 0;
    for (let word = 0; word < count; word++, at += featuresPerWord) {
      const start = wordStarts[word] as number;
      const length = (wordEnds[word] as number) - start;
      const first = text.charCodeAt(start);
      const hash = first >= 48 && first <= 57 ? numberFeature : (wordHashes[word] as number);
      hashes[at] = hash;
      hashes[at + 1] = length >= beginningFromLetters ? beginningOf(text, start) : 0;
      hashes[at + 2] = pairOf(before, hash);
      before = hash;
    }
    hashes[at] = structure(0, Math.min(scan.questions, marksMax));
    hashes[at + 1] = structure(1, Math.min(scan.exclamations, marksMax));
    hashes[at + 2] = structure(2, scan.digits >= digitsMany ? 2 : scan.digits > 0 ? 1 : 0);
    hashes[at + 3] = structure(3, scan.signs & signs.price);
  }

  get length(): number {
    return this.wordCount * featuresPerWord + structureCount;
  }
}

function structure(kind: number, value: number): number {
  return Math.imul(structureSeed ^ (kind * 64 + value), 0x9e3779b1);
}

/** So that "оптимизация" and "оптимизации" are alike. */
function beginningOf(text: string, start: number): number {
  let hash = beginningSeed;
  for (let at = start; at < start + beginningLetters; at++) {
    const code = text.charCodeAt(at);
    const letter = code < 128 ? code | 32 : code < 0x180 ? (baseLetters[code - 0x80] as number) | 32 : code;
    hash = Math.imul(hash ^ letter, 0x01000193);
  }
  return hash;
}

function pairOf(before: number, hash: number): number {
  const mixed = Math.imul(before ^ 0x5bd1e995, 0x9e3779b1) ^ hash;
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}

/** With fewer known words, the model has no opinion. */
const knownShareMin = 0.3;

/**
 * The sum of the weights, damped so that a long text does not score high just for its length. Null if the model knows
 * too few of the words.
 */
export function textScore({ weights, bias }: TextModel, features: TextFeatures): number | null {
  const { hashes, wordCount, length } = features;
  const end = wordCount * featuresPerWord;
  let sum = 0;
  let known = 0;
  for (let at = 0; at < end; at += featuresPerWord) {
    const word = weights.get(hashes[at] as number);
    const beginning = weights.get(hashes[at + 1] as number);
    if (word !== 0 || beginning !== 0) known++;
    sum += (word >> 2) + (beginning >> 2) + (weights.get(hashes[at + 2] as number) >> 2);
  }
  if (known < knownShareMin * wordCount) return null;
  for (let at = end; at < length; at++) sum += weights.get(hashes[at] as number) >> 2;
  return bias + sum / lengthDamping(wordCount);
}

export function lengthDamping(wordCount: number): number {
  return (wordCount + 8) ** 0.42;
}

const heaviestMax = 3;

/** Which words weighed most in a text, and what it is about. Only for texts that the model finds unwanted. */
export class Weighing {
  /** Up to three word numbers, heaviest first. */
  heaviest: number[] = [];
  textClass: (typeof wordingClasses)[number] = 'sales';

  weigh({ weights }: TextModel, { hashes, wordCount }: TextFeatures): void {
    const ofWords: { readonly word: number; readonly weight: number }[] = [];
    const ofClasses = new Int32Array(wordingClasses.length + 1);
    const seen = new Set<number>();
    for (let word = 0; word < wordCount; word++) {
      let weight = 0;
      for (let at = word * featuresPerWord; at < (word + 1) * featuresPerWord; at++) {
        const value = weights.get(hashes[at] as number);
        weight += value >> 2;
        if (value > 0) ofClasses[value & 3] = (ofClasses[value & 3] as number) + (value >> 2);
      }
      const hash = hashes[word * featuresPerWord] as number;
      if (weight <= 0 || seen.has(hash)) continue;
      seen.add(hash);
      ofWords.push({ word, weight });
    }
    ofWords.sort((a, b) => b.weight - a.weight);
    this.heaviest = ofWords.slice(0, heaviestMax).map(({ word }) => word);
    const classes = [...ofClasses.subarray(0, wordingClasses.length)];
    this.textClass = wordingClasses[classes.indexOf(Math.max(...classes))] ?? 'sales';
  }
}
