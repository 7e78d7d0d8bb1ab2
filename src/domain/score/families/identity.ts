import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { addSpellingOfWord, isBelow, type Spelling, type TrigramModel } from '../models/trigrams.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { type TextScan, wordKinds } from '../reading/scan.ts';
import { botFirstNames, surnameTails } from '../tables/first-names.ts';
import { testWords } from '../tables/mail-domains.ts';
import { addOdds, type Odds } from '../typed/odds.ts';

const risesMin = 2;
const digitsMin = 4;
const tailMin = 3;
const tailMax = 4;
const shownCharactersMax = 12;

/** A name, first name or last name that was just scanned. Whether random letters count is judged with all fields. */
export function judgeName(
  field: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const { key } = field;
  const random = addWords(
    scan,
    reading.nameSpelling,
    data.trigrams,
    data.trigrams.gibberish,
    reading.nameOdds,
  );
  if (random !== null) noteRandomName(reading, key, random);
  const uneven = wordOfRandomCase(scan);
  if (uneven >= 0) hits.addOnce('NAME_RANDOM_CASE', key, shownWord(scan, uneven));
  if (scan.addresses > 0) hits.addOnce('NAME_EMAIL', key);
  else if (scan.digits >= digitsMin) hits.addOnce('NAME_DIGITS', key);
  // A test counts once.
  if (scan.wordCount === 1 && reading.typedTest === null) judgeSingleWord(field, scan, hits);
}

function noteRandomName(reading: LeadReading, key: string, { count, shown }: RandomWords): void {
  reading.randomNameWords += count;
  const before = reading.randomName;
  reading.randomName =
    before === null ? { key, evidence: shown } : { key: before.key, evidence: `${before.evidence} ${shown}` };
}

export function judgeCompany(
  field: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const random = addWords(scan, reading.companySpelling, data.trigrams, data.trigrams.certain, null);
  const uneven = wordOfRandomCase(scan);
  if (random !== null) hits.addOnce('COMPANY_GIBBERISH', field.key, random.shown);
  else if (uneven >= 0) hits.addOnce('COMPANY_GIBBERISH', field.key, shownWord(scan, uneven));
}

const jumbledCharactersMin = 5;

interface RandomWords {
  count: number;
  /** The words, shortened. */
  shown: string;
}

/** The words that are gibberish on their own; null if there are none. */
function addWords(
  scan: TextScan,
  spelling: Spelling,
  trigrams: TrigramModel,
  thresholds: readonly number[],
  odds: Odds | null,
): RandomWords | null {
  let found: RandomWords | null = null;
  const own: Spelling = { sum: 0, letters: 0 };
  for (let word = 0; word < scan.wordCount; word++) {
    const start = scan.wordStarts[word] as number;
    const end = scan.wordEnds[word] as number;
    let isRandom = false;
    if (scan.wordKinds[word] === wordKinds.jumbled) isRandom = end - start >= jumbledCharactersMin;
    else if (scan.wordKinds[word] === wordKinds.latin) {
      own.sum = own.letters = 0;
      addSpellingOfWord(trigrams, scan, word, own);
      spelling.sum += own.sum;
      spelling.letters += own.letters;
      isRandom = isBelow(thresholds, own);
    }
    if (odds !== null) addOdds(odds, trigrams, scan, word, own);
    if (!isRandom) continue;
    if (found === null) found = { count: 0, shown: shownWord(scan, word) };
    else if (found.count === 1) found.shown += ` ${shownWord(scan, word)}`;
    found.count++;
  }
  return found;
}

function shownWord({ text, wordStarts, wordEnds }: TextScan, word: number): string {
  return shownPart(text.slice(wordStarts[word], wordEnds[word]));
}

/** As evidence: enough of it to recognise it. */
export function shownPart(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

/** -1 if there is none. */
function wordOfRandomCase(scan: TextScan): number {
  for (let word = 0; word < scan.wordCount; word++) {
    if ((scan.wordRises[word] as number) >= risesMin) return word;
  }
  return -1;
}

/** The word without a link next to it. */
function judgeSingleWord({ key, kind }: LeadField, scan: TextScan, hits: Hits): void {
  const word = scan.text.slice(scan.wordStarts[0], scan.wordEnds[0]).toLowerCase();
  if (testWords.has(word)) hits.addOnce('NAME_PLACEHOLDER', key, word);
  else if (kind === 'name' && isFirstNameWithTail(word)) hits.addOnce('NAME_BOT', key, shownPart(word));
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
