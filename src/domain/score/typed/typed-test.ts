import type { ScoringData } from '../data.ts';
import { addSpellingOfWord, type Spelling } from '../models/trigrams.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { type TextScan, wordKinds } from '../reading/scan.ts';
import { wordHash } from '../reading/word-hash.ts';
import { addOdds } from './odds.ts';
import { nameHash, sampleNames, sectionOfWord } from './test-words.ts';

const messageWordsMax = 8;
/** Longer messages are read for their content. */
const shortWordsMax = 3;
const repeatedMin = 3;
const tinyCharactersMax = 2;
const evidenceCharactersMax = 24;
const zero = 48;
const nine = 57;
const own: Spelling = { sum: 0, letters: 0 };

/** Notes whether a name that was just scanned is typed to try out the form. */
export function noteTypedName({ key, kind }: LeadField, scan: TextScan, reading: LeadReading): void {
  const whole = nameHash(scan, kind === 'last_name' ? reading.firstNameHash : 0);
  if (kind === 'first_name') reading.firstNameHash = whole;
  if (sampleNames.has(whole) || isTestText(scan, false))
    reading.typedTest ??= { key, evidence: wordsOf(scan) };
}

/** The same for a message. Its first words are enough, because people who test rarely type more. */
export function noteTypedMessage(
  { key }: LeadField,
  scan: TextScan,
  reading: LeadReading,
  { trigrams }: ScoringData,
): void {
  const { wordCount } = scan;
  if (wordCount === 0) return;
  if (isLoremIpsum(scan) || (wordCount <= messageWordsMax && isTestText(scan, true)))
    reading.typedTest ??= { key, evidence: wordsOf(scan) };
  if (wordCount > shortWordsMax || hasAnswer(scan)) return;
  for (let word = 0; word < wordCount; word++) {
    own.sum = own.letters = 0;
    if (scan.wordKinds[word] === wordKinds.latin) addSpellingOfWord(trigrams, scan, word, own);
    addOdds(reading.textOdds, trigrams, scan, word, own);
  }
}

function hasAnswer(scan: TextScan): boolean {
  for (let word = 0; word < scan.wordCount; word++) {
    if (sectionOfWord.get(scan.wordHashes[word] as number) === 'answers') return true;
  }
  return false;
}

/** Whether most words of a short message are mashed keys. */
export function isMashedText({ textOdds }: LeadReading): boolean {
  return textOdds.mashed !== null && textOdds.mashedWords * 2 > textOdds.words;
}

/** What no single field shows: the same one or two letters as name and as message. */
export function noteTinyTest(reading: LeadReading): void {
  const message = reading.messageField;
  if (message === null || message.value.length > tinyCharactersMax || reading.typedTest !== null) return;
  const name = reading.first('name') ?? reading.first('first_name');
  const typed = message.value.toLowerCase();
  if (name !== null && name.value.toLowerCase() === typed && /\p{L}/u.test(typed))
    reading.typedTest = { key: message.key, evidence: typed };
}

/**
 * A test word, and none but such as people write beside it: "test drive" is not a test. A name is also one if a part of
 * it is only in samples.
 */
function isTestText(scan: TextScan, isMessage: boolean): boolean {
  let tests = 0;
  let others = 0;
  for (let word = 0; word < scan.wordCount; word++) {
    const section = sectionOfWord.get(scan.wordHashes[word] as number);
    if (section === 'sample surnames' && !isMessage) return true;
    if (section === 'test' || (section === 'test message' && isMessage) || isCounted(scan, word)) tests++;
    else if (section !== 'beside test' && !isNumber(scan, word)) others++;
    if (others > 0 && isMessage) return false;
  }
  return tests > 0 && others === 0;
}

const lorem = wordHash('lorem');
const ipsum = wordHash('ipsum');

function isLoremIpsum({ wordHashes, wordCount }: TextScan): boolean {
  return wordCount > 1 && wordHashes[0] === lorem && wordHashes[1] === ipsum;
}

/** "1234", "111", "aaaa". */
function isCounted({ text, wordStarts, wordEnds }: TextScan, word: number): boolean {
  const start = wordStarts[word] as number;
  const end = wordEnds[word] as number;
  if (end - start < repeatedMin) return false;
  const first = text.charCodeAt(start);
  const step = isDigit(first) ? text.charCodeAt(start + 1) - first : 0;
  if (step !== 0 && step !== 1) return false;
  for (let at = start + 1; at < end; at++) {
    const expected = step === 1 && text.charCodeAt(at - 1) === nine ? zero : text.charCodeAt(at - 1) + step;
    if (text.charCodeAt(at) !== expected) return false;
  }
  return true;
}

function isNumber({ text, wordStarts, wordEnds }: TextScan, word: number): boolean {
  for (let at = wordStarts[word] as number; at < (wordEnds[word] as number); at++) {
    if (!isDigit(text.charCodeAt(at))) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** From the first word on that shows the test. Another number may be that of a phone. */
function wordsOf(scan: TextScan): string {
  const { text, wordStarts, wordEnds, wordCount } = scan;
  const isShown = (word: number) => !isNumber(scan, word) || isCounted(scan, word);
  let first = 0;
  while (first < wordCount - 1 && !isShown(first)) first++;
  let last = first;
  while (last < wordCount - 1 && isShown(last + 1)) last++;
  const words = text.slice(wordStarts[first], wordEnds[last]);
  return words.length > evidenceCharactersMax ? `${words.slice(0, evidenceCharactersMax)}…` : words;
}
