import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { isBelow, type Spelling, type TrigramModel } from '../models/trigrams.ts';
import type { LeadReading } from '../reading/reading.ts';
import { isNameInAddress } from '../typed/name-in-address.ts';
import { bit } from '../typed/odds.ts';
import { isMashedText, noteTinyTest } from '../typed/typed-test.ts';
import { shownPart } from './identity.ts';

const fewWords = 4;
/** By how much random letters must explain name and message better than spelling. */
const oddsMin = bit;
/** The same if the address was made from the name, which most bots do not do. */
const namedOddsMin = 20 * bit;
/** A part that is rather spelt than random speaks against it. */
const partOddsMin = -7 * bit;
/** Random letters are often near each other by chance. */
const mashMargin = 5 * bit;

/** What no single field shows: a name that is also the company, a test, and a lead that is random throughout. */
export function judgeTogether(reading: LeadReading, hits: Hits, { trigrams }: ScoringData): void {
  judgeRepeatedName(reading, hits);
  noteTinyTest(reading);
  const { nameOdds, textOdds, randomName, randomLocal } = reading;
  // Most leads are ordinary in every part, so the comparison with the address is rare.
  const mayBeOdd = nameOdds.best + textOdds.best > oddsMin || nameOdds.mashed !== null;
  const isNamed = (mayBeOdd || randomName !== null || randomLocal !== null) && isNameInAddress(reading);
  if (randomLocal !== null && !isNamed)
    hits.add('EMAIL_LOCAL_GIBBERISH', randomLocal.key, randomLocal.evidence);
  const certainty = certaintyOf(reading, trigrams, isNamed);
  const test = reading.typedTest ?? mashOf(reading, isNamed, certainty);
  // A test address has already said so.
  if (test !== null) {
    if (!hits.has('EMAIL_TEST')) hits.add('LOOKS_LIKE_TEST', test.key, test.evidence);
  } else if (certainty !== 'none') judgeAllRandom(reading, hits, certainty);
  else if (!isNamed) judgeRandomName(reading, hits);
}

function judgeRepeatedName(reading: LeadReading, hits: Hits): void {
  const first = reading.first('first_name')?.value.toLowerCase();
  if (first === undefined || first !== reading.first('last_name')?.value.toLowerCase()) return;
  if (first === reading.first('company')?.value.toLowerCase()) hits.add('NAME_REPEATED');
}

function judgeRandomName({ randomName, randomNameWords }: LeadReading, hits: Hits): void {
  if (randomName === null) return;
  hits.add('NAME_GIBBERISH', randomName.key, randomName.evidence);
  if (randomNameWords > 1) hits.add('NAME_GIBBERISH_ALL', randomName.key, randomName.evidence);
}

/** Each alone may be just below its threshold. A name that can be spelt like this is not called random. */
function judgeAllRandom(reading: LeadReading, hits: Hits, certainty: 'probable' | 'certain'): void {
  const name = namedField(reading);
  const message = reading.messageField;
  const shownName = reading.randomName?.evidence ?? shownPart(name?.value ?? '');
  const shownText = shownPart(message?.value ?? '');
  const isOnlyText = certainty === 'probable' && reading.nameOdds.best < 0;
  if (isOnlyText || (certainty === 'certain' && reading.textFields === 1))
    hits.addOnce('TEXT_GIBBERISH', message?.key ?? null, shownText);
  if (isOnlyText) return;
  hits.add('ALL_GIBBERISH', name?.key ?? null, `${shownName}, ${shownText}`);
  hits.add('NAME_GIBBERISH', reading.randomName?.key ?? name?.key ?? null, shownName);
}

/** Mashed keys in the name or the message. If both are random, mashing must be the better explanation. */
function mashOf(reading: LeadReading, isNamed: boolean, certainty: Certainty): LeadReading['typedTest'] {
  const { nameOdds, textOdds, messageField } = reading;
  const name = namedField(reading);
  const isBetter = nameOdds.mash + textOdds.mash > nameOdds.random + textOdds.random + mashMargin;
  if (certainty === 'certain' && !isBetter) return null;
  if (name !== null && nameOdds.mashed !== null && !isNamed)
    return { key: name.key, evidence: shownPart(nameOdds.mashed) };
  if (messageField !== null && isMashedText(reading))
    return { key: messageField.key, evidence: shownPart(textOdds.mashed ?? '') };
  if (name === null || certainty === 'none' || !isBetter) return null;
  return { key: name.key, evidence: shownPart(name.value) };
}

function namedField(reading: LeadReading) {
  return reading.first('name') ?? reading.first('first_name') ?? reading.first('last_name');
}

type Certainty = 'none' | 'probable' | 'certain';

/** How certain it is that both the name and a short message are random. */
function certaintyOf(reading: LeadReading, trigrams: TrigramModel, isNamed: boolean): Certainty {
  const { nameOdds, textOdds } = reading;
  const hasBoth =
    nameOdds.words > 0 && textOdds.words > 0 && nameOdds.best > partOddsMin && textOdds.best > partOddsMin;
  if (isNamed) return hasBoth && nameOdds.best + textOdds.best > namedOddsMin ? 'probable' : 'none';
  if (isCertain(reading, trigrams)) return 'certain';
  return hasBoth && nameOdds.best + textOdds.best > oddsMin ? 'probable' : 'none';
}

/** A random word both in the name and in a short message, or all parts doubtful and random as a whole. */
function isCertain(reading: LeadReading, trigrams: TrigramModel): boolean {
  const { nameSpelling: name, companySpelling: company, textSpelling: text } = reading;
  const hasBoth = reading.randomNameWords > 0 && reading.randomTextWords > 0;
  if (hasBoth && reading.textWords <= fewWords) return true;
  if (name.letters === 0 || text.letters === 0) return false;
  // In some languages most words are too short to tell, and a few others say nothing of the text.
  if (reading.textWords > fewWords && reading.randomTextWords * 2 < reading.textWords) return false;
  const parts = company.letters > 0 ? [name, company, text] : [name, text];
  const all: Spelling = { sum: 0, letters: 0 };
  for (const part of parts) {
    if (!isBelow(trigrams.doubtful, part)) return false;
    all.sum += part.sum;
    all.letters += part.letters;
  }
  return isBelow(trigrams.gibberish, all);
}
