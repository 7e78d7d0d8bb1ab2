import { baseLetters } from '../tables/letters.ts';

/**
 * How usual a word is spelt: the logarithm of each letter's probability after the two before it, learnt from
 * names and words of many languages. Random letters score low, whatever language a person writes.
 */
export interface TrigramModel {
  /** 27³ values in sixteenths of a bit; the symbol 0 stands before and after a word, 1 to 26 for a to z. */
  readonly table: Int8Array;
  /** By number of letters: the mean below which a word may be, is, and certainly is gibberish. */
  readonly doubtful: readonly number[];
  readonly gibberish: readonly number[];
  readonly certain: readonly number[];
}

export const trigramSymbols = 27;
export const gibberishLettersMin = 5;

export interface Spelling {
  sum: number;
  letters: number;
}

/** Adds the letters of one word to `spelling`; words of too few Latin letters tell nothing and are left out. */
export function addSpelling(
  { table }: Pick<TrigramModel, 'table'>,
  text: string,
  start: number,
  end: number,
  spelling: Spelling,
): void {
  let context = 0;
  let sum = 0;
  let letters = 0;
  for (let at = start; at < end; at++) {
    const letter = letterOf(text.charCodeAt(at));
    // "Looove" is "love" with feeling.
    if (letter === 0 || context === letter * (trigramSymbols + 1)) continue;
    sum += table[context * trigramSymbols + letter] as number;
    context = (context % trigramSymbols) * trigramSymbols + letter;
    letters++;
  }
  if (letters < gibberishLettersMin) return;
  spelling.sum += sum + (table[context * trigramSymbols] as number);
  spelling.letters += letters + 1;
}

/** Whether the mean lies below the threshold for as many letters. */
export function isBelow(thresholds: readonly number[], { sum, letters }: Spelling): boolean {
  if (letters === 0) return false;
  return sum / letters < (thresholds[Math.min(letters - 1, thresholds.length - 1)] as number);
}

/** 1 to 26 for a Latin letter, with or without an accent; else 0. */
export function letterOf(code: number): number {
  const plain = code < 128 ? code : code < 0x180 ? (baseLetters[code - 0x80] as number) : 0;
  const letter = (plain | 32) - 96;
  return letter >= 1 && letter <= 26 && plain >= 65 ? letter : 0;
}
