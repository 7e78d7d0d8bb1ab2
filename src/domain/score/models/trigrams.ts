import type { TextScan } from '../reading/scan.ts';
import { plainLetter } from '../tables/letters.ts';

/**
 * How plausible the spelling of a word is: the log probability of each letter after the two before it, trained on
 * names and words of many languages. Random letters score low in every language.
 */
export interface TrigramModel {
  /** 27³ values in sixteenths of a bit. Symbol 0 marks the start and end of a word, 1 to 26 are a to z. */
  readonly table: Int8Array;
  /** By number of letters: the mean below which a word is perhaps, probably and certainly gibberish. */
  readonly doubtful: readonly number[];
  readonly gibberish: readonly number[];
  readonly certain: readonly number[];
}

export const trigramSymbols = 27;
export const gibberishLettersMin = 5;
/** V8 builds constants of the same module into its code, but loads exported ones each time. */
const symbols = trigramSymbols;
const lettersMin = gibberishLettersMin;

export interface Spelling {
  sum: number;
  letters: number;
}

/** Adds the letters of one word to `spelling`. Words with too few Latin letters are skipped. */
export function addSpelling(
  { table }: Pick<TrigramModel, 'table'>,
  text: string,
  start: number,
  end: number,
  spelling: Spelling,
): void {
  const length = end - start;
  if (length > codesOfText.length) codesOfText = new Uint16Array(length);
  for (let at = 0; at < length; at++) codesOfText[at] = text.charCodeAt(start + at);
  addLetters(table, codesOfText, 0, length, spelling);
}

/** The same for a word of the text that was just scanned. */
export function addSpellingOfWord(
  { table }: TrigramModel,
  { codes, wordStarts, wordEnds }: Pick<TextScan, 'codes' | 'wordStarts' | 'wordEnds'>,
  word: number,
  spelling: Spelling,
): void {
  addLetters(table, codes, wordStarts[word] as number, wordEnds[word] as number, spelling);
}

let codesOfText = new Uint16Array(64);

function addLetters(
  table: Int8Array,
  codes: Uint16Array,
  start: number,
  end: number,
  spelling: Spelling,
): void {
  if (end - start < lettersMin) return;
  let context = 0;
  let last = 0;
  let sum = 0;
  let letters = 0;
  for (let at = start; at < end; at++) {
    const letter = letterOf(codes[at] as number);
    // "Looove" counts as "love".
    if (letter === 0 || context === letter * (symbols + 1)) continue;
    sum += table[context * symbols + letter] as number;
    context = last * symbols + letter;
    last = letter;
    letters++;
  }
  if (letters < lettersMin) return;
  spelling.sum += sum + (table[context * symbols] as number);
  spelling.letters += letters + 1;
}

/** Whether the mean is below the threshold for that many letters. */
export function isBelow(thresholds: readonly number[], { sum, letters }: Spelling): boolean {
  if (letters === 0) return false;
  return sum / letters < (thresholds[Math.min(letters - 1, thresholds.length - 1)] as number);
}

/** 1 to 26 for a Latin letter, with or without accent; otherwise 0. */
export function letterOf(code: number): number {
  return code < 0x180 ? (commonLetters[code] as number) : rareLetterOf(code);
}

const commonLetters = Uint8Array.from({ length: 0x180 }, (_, code) => rareLetterOf(code));

function rareLetterOf(code: number): number {
  const plain = plainLetter(code);
  return plain === 0 ? 0 : (plain | 32) - 96;
}
