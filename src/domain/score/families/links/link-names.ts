import { domainToUnicode } from 'node:url';
import type { ScoringData } from '../../data.ts';
import { domainShape } from '../../models/domain-shape.ts';
import { addSpelling, isBelow, type Spelling } from '../../models/trigrams.ts';
import { HashTable } from '../../reading/hash-table.ts';
import { NameCodes, WordFinder } from '../../reading/word-finder.ts';
import { wordHash, wordHashPrime, wordHashSeed } from '../../reading/word-hash.ts';
import {
  bait,
  brands,
  brandWords,
  plainWords,
  shortBrands,
  strongBait,
  weakBait,
} from '../../tables/link-hosts.ts';

/** What the name of a host resembles. `bait` is typical of spam, `brand` borrows the name of another firm. */
export const nameRanks = { ordinary: 0, unusual: 1, bait: 2, brand: 3 } as const;
export type NameRank = (typeof nameRanks)[keyof typeof nameRanks];

/** The host of a link, taken apart. */
export interface HostName {
  /** In ASCII, at most 255 characters. */
  readonly name: string;
  /** What its owner chose: `acme` of `www.acme.co.uk`, `my-page` of `my-page.github.io`. */
  readonly label: string;
  /** What follows the label. */
  readonly suffix: string;
  readonly isCheap: boolean;
  readonly isFreeHosting: boolean;
}

const labelCharactersMax = 63;
/** Points of doubt, which are not those of the findings. */
const unusualFrom = 4;
const baitFrom = 5;
const shapeMost = 2;
const baitMost = 6;
/** Ordinary words prove little, however many there are. */
const weakBaitMost = 2;
const baitBesideBrandMin = 2;
/** Abbreviations are shorter. */
const muteLettersMin = 6;
const shortLettersMax = 3;

const baitWeights = new Map<string, number>([
  ...[...weakBait].map((word) => [word, 1] as const),
  ...[...bait].map((word) => [word, 2] as const),
  ...[...strongBait].map((word) => [word, 4] as const),
]);
const isLong = (word: string) => word.length > shortLettersMax;
const baitFinder = new WordFinder([...baitWeights.keys(), ...plainWords].filter(isLong));
const shortBait = new Map([...baitWeights].filter(([word]) => !isLong(word)));
/** "paypa1", "micros0ft", "steamcommunlty". */
const brandFinder = new WordFinder(brands, ['li', '1i', '0o']);
const wholeBrands = new HashTable(
  [...shortBrands, ...brandWords].map((word) => [wordHash(word), 1] as const),
);

/** Only schools, universities and authorities get a name there. */
const institutions = new Set(['edu', 'gov', 'mil', 'int']);
const institutionsByCountry = new Set(['edu', 'ac', 'gov', 'gob', 'gouv', 'gv', 'mil']);

export function rankName(host: HostName, data: ScoringData): NameRank {
  if (isInstitution(host.suffix)) return nameRanks.ordinary;
  if (borrowsBrand(host)) return nameRanks.brand;
  const doubt = doubtOf(host, data);
  if (doubt >= baitFrom) return nameRanks.bait;
  return doubt >= unusualFrom ? nameRanks.unusual : nameRanks.ordinary;
}

function isInstitution(suffix: string): boolean {
  const dot = suffix.indexOf('.');
  return dot < 0 ? institutions.has(suffix) : institutionsByCountry.has(suffix.slice(0, dot));
}

const codesOfName = new NameCodes();
const codesOfLabel = new NameCodes();

function doubtOf({ label, suffix, isCheap, isFreeHosting }: HostName, data: ScoringData): number {
  const plain = label.startsWith('xn--') ? withoutAccents(domainToUnicode(label)) : label;
  const text = plain.length > labelCharactersMax ? plain.slice(0, labelCharactersMax) : plain;
  const codes = codesOfLabel.take(text);
  let doubt = baitIn(text, codes) + marksIn(codes) + randomnessOf(text, codes, data);
  if (isCheap) doubt += 2;
  if (isFreeHosting) doubt += 1;
  // The model takes longer than all the rest, so it is asked only if its answer matters.
  else if (doubt < baitFrom && doubt + shapeMost >= unusualFrom) doubt += shapeOf(text, suffix, data);
  return doubt;
}

function baitIn(label: string, codes: NameCodes): number {
  let weak = 0;
  let heavy = 0;
  for (let at = 0; at < codes.length; ) {
    const word = baitFinder.wordAt(codes, at) ?? shortBaitAt(label, codes, at);
    if (word === null) {
      at++;
      continue;
    }
    const weight = baitWeights.get(word) ?? 0;
    if (weight === 1) weak++;
    else heavy += weight;
    at += word.length;
  }
  return Math.min(baitMost, heavy + Math.min(weakBaitMost, weak));
}

/** Short words count only between hyphens and digits: "tax-refund". */
function shortBaitAt(label: string, { codes }: NameCodes, at: number): string | null {
  if (at > 0 && isLetter(codes[at - 1])) return null;
  let end = at;
  while (end - at <= shortLettersMax && isLetter(codes[end])) end++;
  if (end === at || end - at > shortLettersMax) return null;
  const word = label.slice(at, end);
  return shortBait.has(word) ? word : null;
}

/** Many hyphens, and digits inside words. A few at the end are a year, or stand for "around the clock". */
function marksIn({ codes, length }: NameCodes): number {
  let hyphens = 0;
  let digits = 0;
  let inner = 0;
  let isAfterLetter = false;
  for (let at = 0; at < length; at++) {
    const code = codes[at];
    if (code === 45) hyphens++;
    if (isDigit(code)) {
      digits++;
      if (isAfterLetter && isLetter(codes[at + 1])) inner++;
    } else isAfterLetter = isLetter(code);
  }
  const ofHyphens = hyphens < 2 ? 0 : Math.min(hyphens, 4);
  const ofDigits = digits >= 5 ? 3 : digits >= 3 ? 2 : 0;
  return ofHyphens + ofDigits + (inner >= 2 ? 4 : inner);
}

function shapeOf(label: string, suffix: string, { domainShape: model }: ScoringData): number {
  const shape = domainShape(model, label, suffix);
  return shape >= model.probable ? shapeMost : shape >= model.likely ? 1 : 0;
}

const spelling: Spelling = { sum: 0, letters: 0 };

/** Names are run together, so only letters that nobody can pronounce are certain. */
function randomnessOf(label: string, { codes, length }: NameCodes, { trigrams }: ScoringData): number {
  let most = 0;
  for (let start = 0; start < length; ) {
    let end = start;
    let isMute = true;
    for (; isLetter(codes[end]); end++) if (isVowel[codes[end] as number] === 1) isMute = false;
    spelling.sum = spelling.letters = 0;
    addSpelling(trigrams, label, start, end, spelling);
    if (isBelow(trigrams.gibberish, spelling)) {
      const isCertain = isBelow(trigrams.certain, spelling);
      most = Math.max(most, isMute && end - start >= muteLettersMin ? 5 : isCertain ? 2 : 1);
    }
    start = end + 1;
  }
  return most;
}

const isVowel = new Uint8Array(128);
for (const vowel of 'aeiouy') isVowel[vowel.charCodeAt(0)] = 1;

/** A brand's own domains are well known or consist of its name alone. */
function borrowsBrand({ name, label, isCheap, isFreeHosting }: HostName): boolean {
  const isOddPlace = isCheap || isFreeHosting;
  let shown = name;
  if (name.includes('xn--')) {
    shown = withoutAccents(domainToUnicode(name));
    if (hasMixedLetters(shown)) return true;
  }
  const codes = codesOfName.take(shown);
  for (let at = 0; at < codes.length; at++) {
    const brand = brandFinder.wordAt(codes, at);
    if (brand !== null) return isOddPlace || brand !== label;
  }
  const word = wholeBrandIn(shown, codes);
  if (word === null || isOddPlace) return word !== null;
  return word !== label && baitIn(label, codesOfLabel.take(label)) >= baitBesideBrandMin;
}

/** A brand between hyphens, dots and digits. */
function wholeBrandIn(name: string, { codes, length }: NameCodes): string | null {
  for (let start = 0; start < length; ) {
    let end = start;
    let hash = wordHashSeed;
    for (; isLetter(codes[end]); end++) hash = Math.imul(hash ^ (codes[end] as number), wordHashPrime);
    if (wholeBrands.get(hash) === 1) return name.slice(start, end);
    start = end + 1;
  }
  return null;
}

function withoutAccents(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Latin letters next to Cyrillic or Greek ones in one label, as only forgers write. */
function hasMixedLetters(name: string): boolean {
  return name
    .split('.')
    .some((label) => /[a-z]/.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(label));
}

function isLetter(code: number | undefined): boolean {
  return code !== undefined && code >= 97 && code <= 122;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 48 && code <= 57;
}
