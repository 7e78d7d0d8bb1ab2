import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { addSpellingOfWord, isBelow, type Spelling } from '../models/trigrams.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { signs, type TextScan, wordKinds } from '../reading/scan.ts';
import { isMashedText } from '../typed/typed-test.ts';

const shoutedLettersMin = 24;
const shoutedShare = 0.6;
const judgedWordsMax = 24;
const jumbledWordsMax = 3;

/** Any text that was just scanned: characters that no field should contain. */
export function judgeCharacters({ key }: LeadField, scan: TextScan, hits: Hits): void {
  if (scan.hidden > 0) hits.addOnce('TEXT_HIDDEN_CHARACTERS', key, String(scan.hidden));
  if (scan.mixedWords > 0) hits.addOnce('TEXT_MIXED_ALPHABETS', key, scan.word(scan.mixedWord));
  if ((scan.signs & ~signs.price) !== 0) judgeCode(key, scan, hits);
}

/** A message, or any other text of some length: how it is written. What it says is judged by its wording. */
export function judgeText(
  field: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const { key } = field;
  reading.textFields++;
  if (scan.letters >= shoutedLettersMin && scan.capitals > shoutedShare * scan.letters) {
    hits.addOnce('TEXT_SHOUTING', key);
  }
  judgeSpelling(field, scan, reading, hits, data);
}

/** Most words long enough to tell must be random; a single word must be certain. */
function judgeSpelling(
  { key }: LeadField,
  scan: TextScan,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const { trigrams } = data;
  let judged = 0;
  let random = 0;
  let certain = 0;
  let uneven = 0;
  let oddest = 0;
  const own: Spelling = { sum: 0, letters: 0 };
  const count = Math.min(scan.wordCount, judgedWordsMax);
  for (let word = 0; word < count; word++) {
    const start = scan.wordStarts[word] as number;
    const end = scan.wordEnds[word] as number;
    // In a longer text it is more likely a part or order number.
    if (scan.wordKinds[word] === wordKinds.jumbled && count <= jumbledWordsMax && end - start >= 5) {
      judged++;
      random++;
      certain++;
      oddest = word;
    }
    if (scan.wordKinds[word] !== wordKinds.latin) continue;
    own.sum = own.letters = 0;
    addSpellingOfWord(trigrams, scan, word, own);
    if (own.letters === 0) continue;
    judged++;
    reading.textSpelling.sum += own.sum;
    reading.textSpelling.letters += own.letters;
    if (isBelow(trigrams.certain, own)) certain++;
    if (isBelow(trigrams.gibberish, own)) {
      random++;
      oddest = word;
    }
    if ((scan.wordRises[word] as number) >= 2) {
      uneven++;
      oddest = word;
    }
  }
  reading.textWords += scan.wordCount;
  reading.randomTextWords += random;
  const isRandom = random * 5 > judged * 3 && (judged > 1 ? random > 1 : certain > 0 && scan.wordCount < 4);
  // Mashed keys are a test, which is judged with the name.
  if (isRandom && reading.typedTest?.key !== key && !isMashedText(reading))
    hits.addOnce('TEXT_GIBBERISH', key, scan.word(oddest));
  if (uneven * 2 > judged) hits.addOnce('TEXT_RANDOM_CASE', key, scan.word(oddest));
}

const script = /<\s{0,3}(?:script|iframe|svg|object|embed|img\s[^<>]{0,200}onerror)/i;
const template = /(?:\{\{|\$\{|\{%)[^{}\n]{0,30}\}{0,2}/;
const spintax = /\{[^{}|\n]{1,40}\|[^{}\n]{1,80}\}/;
const query =
  /\bunion\s{1,5}(?:all\s{1,5})?select\b|\bor\s{1,5}'?1'?\s{0,3}=\s{0,3}'?1|;\s{0,5}drop\s{1,5}table\b|\bsleep\s{0,3}\(\d/i;

function judgeCode(key: string, { text, length, signs: seen }: TextScan, hits: Hits): void {
  const read = text.length > length ? text.slice(0, length) : text;
  const code =
    ((seen & signs.angle) !== 0 && script.exec(read)?.[0]) ||
    ((seen & signs.brace) !== 0 && template.exec(read)?.[0]) ||
    ((seen & signs.equals) !== 0 && query.exec(read)?.[0]);
  if (code) hits.addOnce('TEXT_INJECTION', key, code);
  else if ((seen & signs.brace) !== 0) {
    const spun = spintax.exec(read)?.[0];
    if (spun !== undefined) hits.addOnce('TEXT_SPINTAX', key, spun);
  }
}
