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
  let context = 0;
  let last = 0;
  let sum = 0;
  let letters = 0;
  for (let at = start; at < end; at++) {
    const letter = letterOf(text.charCodeAt(at));
    // "Looove" counts as "love".
    if (letter === 0 || context === letter * (trigramSymbols + 1)) continue;
    sum += table[context * trigramSymbols + letter] as number;
    context = last * trigramSymbols + letter;
    last = letter;
    letters++;
  }
  if (letters < gibberishLettersMin) return;
  spelling.sum += sum + (table[context * trigramSymbols] as number);
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
