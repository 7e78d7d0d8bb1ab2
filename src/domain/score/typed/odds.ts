import { addSpelling, type Spelling, type TrigramModel } from '../models/trigrams.ts';
import { type TextScan, wordKinds } from '../reading/scan.ts';
import { cyrillicSteps, mashOdds, romanised } from './keyboards.ts';

/**
 * How much better the words of a name or short message are explained by random letters, or by mashed keys, than by
 * spelling, in sixteenths of a bit. Words that are too short to tell are left out.
 */
export interface Odds {
  words: number;
  random: number;
  mash: number;
  /** The better explanation of each word. */
  best: number;
  /** The first word that looks mashed, and how many do. */
  mashed: string | null;
  mashedWords: number;
}

export const bit = 16;
/** Of 26 letters, and for the end of a word. */
const letterCost = 75;
const endCost = 40;
/** The mean of a word above which it is certainly spelt. */
const plausible = -56;
const jumbledOdds = 10 * bit;
const jumbledCharactersMin = 5;
/** Of a word that is mashed for certain, and of a short word that may be. */
const mashedMin = 11 * bit;
const shortMashMin = 4 * bit;
/** Per letter; higher than for Latin letters, because one Cyrillic letter can be several. */
const cyrillicCost = 92;
const nearCost = 78;
const besideCost = 66;
const charactersMin = 4;

export function newOdds(): Odds {
  return { words: 0, random: 0, mash: 0, best: 0, mashed: null, mashedWords: 0 };
}

const romanisedSpelling: Spelling = { sum: 0, letters: 0 };

/** Adds one word of the text that was just scanned. `own` is its spelling if it is a Latin word. */
export function addOdds(
  odds: Odds,
  trigrams: TrigramModel,
  { text, wordStarts, wordEnds, wordKinds: kinds }: TextScan,
  word: number,
  own: Spelling,
): void {
  const start = wordStarts[word] as number;
  const end = wordEnds[word] as number;
  if (end - start < charactersMin) return;
  const kind = kinds[word] as number;
  if (kind === wordKinds.latin) {
    const random = own.letters === 0 ? 0 : -own.sum - letterCost * (own.letters - 1) - endCost;
    // Most words are spelt too well to be mashed.
    const mayBeMashed = own.letters === 0 || own.sum < plausible * own.letters;
    const mash = mayBeMashed ? mashOdds(trigrams, text, start, end) : random;
    count(odds, text, start, end, random, mash);
  } else if (kind === wordKinds.jumbled) {
    if (end - start >= jumbledCharactersMin) count(odds, text, start, end, jumbledOdds, jumbledOdds);
  } else if (isCyrillic(text.charCodeAt(start))) {
    const spelling = romanisedSpelling;
    const latin = romanised(text, start, end);
    spelling.sum = spelling.letters = 0;
    addSpelling(trigrams, latin, 0, latin.length, spelling);
    const random = spelling.letters === 0 ? 0 : -spelling.sum - cyrillicCost * (end - start);
    count(odds, text, start, end, random, cyrillicMash(text, start, end, spelling.sum, random));
  }
}

/** Short words only count if they are rather mashed than spelt. */
function count(odds: Odds, text: string, start: number, end: number, random: number, mash: number): void {
  if (random === 0 && mash < shortMashMin) return;
  odds.words++;
  odds.random += random;
  odds.mash += mash;
  odds.best += Math.max(random, mash);
  if (mash < mashedMin || mash <= random) return;
  odds.mashed ??= text.slice(start, end);
  odds.mashedWords++;
}

/** `sum` is 0 for a word that is too short to judge its spelling. `random` if it is not mashed. */
function cyrillicMash(text: string, start: number, end: number, sum: number, random: number): number {
  const steps = cyrillicSteps(text, start, end);
  if (steps === 'all beside') return Math.max(mashedMin, -sum - besideCost * (end - start));
  if (steps === 'far' || sum === 0) return random;
  return -sum - (steps === 'beside' ? besideCost : nearCost) * (end - start);
}

function isCyrillic(code: number): boolean {
  return code >= 0x400 && code <= 0x52f;
}
