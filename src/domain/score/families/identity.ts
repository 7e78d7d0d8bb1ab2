import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { addSpelling, isBelow, type Spelling, type TrigramModel } from '../models/trigrams.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { type TextScan, wordKinds } from '../reading/scan.ts';
import { botFirstNames, surnameTails } from '../tables/first-names.ts';
import { testWords } from '../tables/mail-domains.ts';

const risesMin = 2;
const digitsMin = 4;
const fewWords = 4;
const tailMin = 3;
const tailMax = 4;

/** A name, first name or last name that was just scanned. */
export function judgeName(
  field: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  reading.randomNameWords += addWords(scan, reading.nameSpelling, data.trigrams, data.trigrams.gibberish);
  if (reading.randomNameWords > 0) hits.addOnce('NAME_GIBBERISH', field.key);
  if (hasRandomCase(scan)) hits.addOnce('NAME_RANDOM_CASE', field.key);
  if (scan.addresses > 0) hits.addOnce('NAME_EMAIL', field.key);
  else if (scan.digits >= digitsMin) hits.addOnce('NAME_DIGITS', field.key);
  if (scan.wordCount === 1) judgeSingleWord(field, scan, hits);
}

export function judgeCompany(
  field: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const random = addWords(scan, reading.companySpelling, data.trigrams, data.trigrams.certain);
  if (random > 0 || hasRandomCase(scan)) hits.addOnce('COMPANY_GIBBERISH', field.key);
}

/** What no single field shows: a first name that is also the company, and a lead that is random throughout. */
export function judgeTogether(reading: LeadReading, hits: Hits, data: ScoringData): void {
  const first = reading.first('first_name')?.value.toLowerCase();
  if (first !== undefined && first === reading.first('last_name')?.value.toLowerCase()) {
    if (first === reading.first('company')?.value.toLowerCase()) hits.add('NAME_REPEATED');
  }
  if (reading.randomNameWords > 1) hits.add('NAME_GIBBERISH_ALL');
  if (!isRandomThroughout(reading, data.trigrams)) return;
  hits.add('ALL_GIBBERISH');
  // Each alone may be just below the threshold; together they are certain.
  const named = reading.first('name') ?? reading.first('first_name') ?? reading.first('last_name');
  hits.addOnce('NAME_GIBBERISH', named?.key ?? null);
  if (reading.textFields === 1) hits.addOnce('TEXT_GIBBERISH', reading.first('message')?.key ?? null);
}

/** A random word both in the name and in a short message, or all parts doubtful and random as a whole. */
function isRandomThroughout(reading: LeadReading, trigrams: TrigramModel): boolean {
  const { nameSpelling: name, companySpelling: company, textSpelling: text } = reading;
  const hasBoth = reading.randomNameWords > 0 && reading.randomTextWords > 0;
  if (hasBoth && reading.textWords <= fewWords) return true;
  if (name.letters === 0 || text.letters === 0) return false;
  const parts = company.letters > 0 ? [name, company, text] : [name, text];
  const all: Spelling = { sum: 0, letters: 0 };
  for (const part of parts) {
    if (!isBelow(trigrams.doubtful, part)) return false;
    all.sum += part.sum;
    all.letters += part.letters;
  }
  return isBelow(trigrams.gibberish, all);
}

const jumbledCharactersMin = 5;

/** How many words are gibberish on their own. */
function addWords(
  scan: TextScan,
  spelling: Spelling,
  trigrams: TrigramModel,
  thresholds: readonly number[],
): number {
  let random = 0;
  for (let word = 0; word < scan.wordCount; word++) {
    const start = scan.wordStarts[word] as number;
    const end = scan.wordEnds[word] as number;
    if (scan.wordKinds[word] === wordKinds.jumbled && end - start >= jumbledCharactersMin) random++;
    if (scan.wordKinds[word] !== wordKinds.latin) continue;
    const own: Spelling = { sum: 0, letters: 0 };
    addSpelling(trigrams, scan.text, start, end, own);
    spelling.sum += own.sum;
    spelling.letters += own.letters;
    if (isBelow(thresholds, own)) random++;
  }
  return random;
}

function hasRandomCase(scan: TextScan): boolean {
  for (let word = 0; word < scan.wordCount; word++) {
    if ((scan.wordRises[word] as number) >= risesMin) return true;
  }
  return false;
}

/** The word without a link next to it. */
function judgeSingleWord({ key, kind }: LeadField, scan: TextScan, hits: Hits): void {
  const word = scan.text.slice(scan.wordStarts[0], scan.wordEnds[0]).toLowerCase();
  if (testWords.has(word)) hits.addOnce('NAME_PLACEHOLDER', key, word);
  else if (kind === 'name' && isFirstNameWithTail(word)) hits.addOnce('NAME_BOT', key);
}

/** "Masonfug", "Joshualep": a first name plus three or four letters that do not end any name. */
function isFirstNameWithTail(word: string): boolean {
  for (let length = tailMin; length <= tailMax; length++) {
    const tail = word.slice(-length);
    if (botFirstNames.has(word.slice(0, -length)) && !surnameTails.has(tail) && /^[a-z]+$/.test(tail))
      return true;
  }
  return false;
}
