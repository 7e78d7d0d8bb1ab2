import type { HashTable } from '../reading/hash-table.ts';
import { signs, type TextScan } from '../reading/scan.ts';
import { wordHashPrime } from '../reading/word-hash.ts';
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
  /** The same for a short text with a link to another site than the sender's, which few wanted texts have. */
  readonly linked: number;
  readonly strong: number;
}

const wordsMax = 256;
export const featuresPerWord = 3;
/** V8 builds constants of the same module into its code, but loads imported and exported ones each time. */
const perWord = featuresPerWord;
const prime = wordHashPrime;
/** Which of them is the pair. */
export const pairPlace = 2;
const beginningFromLetters = 7;
const numberFeature = 0x3c6ef372;
const beginningSeed = 0x2545f491;

/** Features of the whole text, which follow those of its words. */
const structureSeed = 0x6a09e667;
const structureCount = 4;
const marksMax = 3;
const digitsMany = 4;

/** All texts in turn use them. V8 builds the addresses of such arrays into its code, but loads those of fields each time. */
const hashes = new Int32Array(wordsMax * perWord + structureCount);
const values = new Int32Array(wordsMax * perWord + structureCount);

/**
 * The features of the text that was just scanned: for each word the word itself, its beginning and the pair that it
 * ends; then its questions, exclamations, digits and prices. They are there until the next text is taken.
 */
class TextFeatures {
  readonly hashes = hashes;
  /** What a model says of each; 0 for what it does not know. */
  readonly values = values;
  wordCount = 0;

  /** With their values in the model. It takes a good part of the time of a score. */
  take(scan: TextScan, weights: HashTable): void {
    this.wordCount = Math.min(scan.wordCount, wordsMax);
    hashWords(scan, this.wordCount);
    const at = this.wordCount * perWord;
    hashes[at] = structure(0, Math.min(scan.questions, marksMax));
    hashes[at + 1] = structure(1, Math.min(scan.exclamations, marksMax));
    hashes[at + 2] = structure(2, scan.digits >= digitsMany ? 2 : scan.digits > 0 ? 1 : 0);
    hashes[at + 3] = structure(3, scan.signs & signs.price);
    weights.getAll(hashes, this.length, values);
  }

  get length(): number {
    return this.wordCount * perWord + structureCount;
  }
}

export const textFeatures = new TextFeatures();

function hashWords({ wordHashes, wordStarts, wordEnds, codes }: TextScan, count: number): void {
  let before = 0;
  let at = 0;
  for (let word = 0; word < count; word++) {
    const start = wordStarts[word] as number;
    const length = (wordEnds[word] as number) - start;
    const isNumber = ((codes[start] as number) - 48) >>> 0 < 10;
    const hash = isNumber ? numberFeature : (wordHashes[word] as number);
    hashes[at] = hash;
    hashes[at + 1] = length >= beginningFromLetters ? beginningOf(codes, start) : 0;
    hashes[at + 2] = pairOf(before, hash);
    before = hash;
    at += perWord;
  }
}

function structure(kind: number, value: number): number {
  return Math.imul(structureSeed ^ (kind * 64 + value), 0x9e3779b1);
}

/** Without accent. */
const smallLetters = Uint8Array.from(
  { length: 0x180 },
  (_, code) => (code < 0x80 ? code : (baseLetters[code - 0x80] as number)) | 32,
);

/** The first five letters, so that "оптимизация" and "оптимизации" are alike. Not a loop, so that V8 optimises the loop around it. */
function beginningOf(codes: Uint16Array, start: number): number {
  let hash = withLetter(beginningSeed, codes[start] as number);
  hash = withLetter(hash, codes[start + 1] as number);
  hash = withLetter(hash, codes[start + 2] as number);
  hash = withLetter(hash, codes[start + 3] as number);
  return withLetter(hash, codes[start + 4] as number);
}

function withLetter(hash: number, code: number): number {
  return Math.imul(hash ^ (code < 0x180 ? (smallLetters[code] as number) : code), prime);
}

function pairOf(before: number, hash: number): number {
  const mixed = Math.imul(before ^ 0x5bd1e995, 0x9e3779b1) ^ hash;
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}

/** With fewer known words, the model has no opinion. */
const knownShareMin = 0.3;

/**
 * Of the text that was taken last: the sum of the weights, damped so that a long text does not score high just for its length. Null if the model knows
 * too few of the words.
 */
export function textScore({ bias }: Pick<TextModel, 'bias'>): number | null {
  const { wordCount, length } = textFeatures;
  const end = wordCount * perWord;
  let sum = 0;
  let known = 0;
  for (let at = 0; at < end; at += perWord) {
    const word = values[at] as number;
    const beginning = values[at + 1] as number;
    if ((word | beginning) !== 0) known++;
    sum += (word >> 2) + (beginning >> 2) + ((values[at + 2] as number) >> 2);
  }
  if (known < knownShareMin * wordCount) return null;
  for (let at = end; at < length; at++) sum += (values[at] as number) >> 2;
  return bias + sum / lengthDamping(wordCount) + (levels[wordCount] as number);
}

const dampings = Float64Array.from({ length: wordsMax + 1 }, (_, wordCount) => (wordCount + 8) ** 0.42);

export function lengthDamping(wordCount: number): number {
  return dampings[wordCount] as number;
}

/**
 * The longer somebody who asks writes, the plainer it is that they ask. Without this, the same threshold would be far
 * higher than needed for long texts.
 */
const levelFromWords = 20;
const levelToWords = 200;
const levelPoints = 5;
const levels = Float64Array.from({ length: wordsMax + 1 }, (_, wordCount) => {
  const counted = Math.min(levelToWords, Math.max(levelFromWords, wordCount));
  return levelPoints * Math.log(counted / levelFromWords);
});

const heaviestMax = 3;

/** Which words weighed most in a text, and what it is about. Only for texts that the model finds unwanted. */
export class Weighing {
  /** Up to three word numbers, heaviest first. */
  heaviest: number[] = [];
  textClass: (typeof wordingClasses)[number] = 'sales';

  weigh(): void {
    const { wordCount } = textFeatures;
    const ofClasses = new Int32Array(wordingClasses.length + 1);
    for (let at = 0; at < wordCount * featuresPerWord; at++) {
      const value = values[at] as number;
      if (value > 0) ofClasses[value & 3] = (ofClasses[value & 3] as number) + (value >> 2);
    }
    this.heaviest = heaviestOf(wordCount);
    const classes = [...ofClasses.subarray(0, wordingClasses.length)];
    this.textClass = wordingClasses[classes.indexOf(Math.max(...classes))] ?? 'sales';
  }
}

/** Each word counts where it first speaks against the text. */
function heaviestOf(wordCount: number): number[] {
  const heaviest: number[] = [];
  let least = 0;
  for (let word = 0; word < wordCount; word++) {
    const weight = weightOf(word);
    if (weight <= least || isRepeated(word)) continue;
    let place = heaviest.length;
    while (place > 0 && weight > weightOf(heaviest[place - 1] as number)) place--;
    heaviest.splice(place, 0, word);
    if (heaviest.length > heaviestMax) heaviest.pop();
    if (heaviest.length === heaviestMax) least = weightOf(heaviest[heaviestMax - 1] as number);
  }
  return heaviest;
}

function weightOf(word: number): number {
  const at = word * featuresPerWord;
  return (
    ((values[at] as number) >> 2) + ((values[at + 1] as number) >> 2) + ((values[at + 2] as number) >> 2)
  );
}

function isRepeated(word: number): boolean {
  const end = word * featuresPerWord;
  for (let at = 0; at < end; at += featuresPerWord)
    if (hashes[at] === hashes[end] && weightOf(at / featuresPerWord) > 0) return true;
  return false;
}
