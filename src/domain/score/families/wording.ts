import type { ScoringData } from '../data.ts';
import { evidenceCharactersMax, type Hits } from '../hits.ts';
import { textFeatures, textScore, Weighing } from '../models/text-model.ts';
import { PhraseMatcher } from '../reading/phrase-match.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import type { TextScan } from '../reading/scan.ts';
import { type PhraseGroup, phraseGroups } from '../tables/phrases.ts';

const phraseWordsMin = 3;
// The model cannot tell shorter texts apart.
const modelWordsMin = 5;
const groupsMax = 2;
/** The weight of phrases from which a group counts, and from which phrases are many. */
const weightMin = 4;
const weightMany = 6;
/** What a group needs in addition if the text asks for something or reports a fault. */
const weightAsked = 6;
const wordingCodes = { sales: 'WORDING_SALES', fraud: 'WORDING_FRAUD', advert: 'WORDING_ADVERT' } as const;

/** Judges what texts say. One object serves all texts in turn. */
export class WordingJudge {
  readonly #weighing = new Weighing();
  readonly #phrases = new PhraseMatcher();

  /** The text that was just scanned. */
  judge(
    { key }: LeadField,
    scan: TextScan,
    reading: LeadReading,
    hits: Hits,
    { text: model }: ScoringData,
  ): void {
    if (scan.wordCount < phraseWordsMin) return;
    this.#phrases.match(scan.wordHashes, scan.wordCount);
    const isJudged = scan.wordCount >= modelWordsMin;
    if (isJudged) textFeatures.take(scan, model.weights);
    const score = isJudged ? textScore(model) : null;
    if (score !== null && score >= model.weak) this.#judgeWords(key, scan, hits, score >= model.strong);
    else if (score !== null && score >= model.linked && scan.linkCount > 0)
      reading.doubtBesideLink ??= { key, evidence: this.#heaviest(scan) };
    if (this.#phrases.totalWeight < weightMin) return;
    this.#judgePhrases(key, scan, hits, score !== null && score < model.asking);
  }

  #judgeWords(key: string, scan: TextScan, hits: Hits, isStrong: boolean): void {
    const evidence = this.#heaviest(scan);
    hits.addOnce(isStrong ? wordingCodes[this.#weighing.textClass] : 'WORDING_DOUBTFUL', key, evidence);
  }

  /** The words that weighed most. */
  #heaviest(scan: TextScan): string {
    this.#weighing.weigh();
    return quoted(this.#weighing.heaviest.map((word) => scan.word(word)));
  }

  /** The two heaviest groups count. */
  #judgePhrases(key: string, scan: TextScan, hits: Hits, asks: boolean): void {
    const least = asks ? weightMin + weightAsked : weightMin;
    let heaviest = -1;
    let limit = Number.POSITIVE_INFINITY;
    for (let found = 0; found < groupsMax; found++) {
      const group = this.#heaviestBelow(limit, least);
      if (group < 0) break;
      if (found === 0) heaviest = group;
      limit = this.#rank(group);
      hits.addOnce(phraseGroups[group] as PhraseGroup, key, this.#phraseOf(group, scan));
    }
    const isMany = this.#phrases.totalWeight >= (asks ? weightMany + weightAsked : weightMany);
    if (heaviest >= 0 && isMany) hits.addOnce('PHRASES_MANY', key, this.#phraseOf(heaviest, scan));
  }

  #phraseOf(group: number, { text, wordStarts, wordEnds }: TextScan): string {
    const { firstWords, lastWords } = this.#phrases;
    return text.slice(wordStarts[firstWords[group] as number], wordEnds[lastWords[group] as number]);
  }

  /** Groups of equal weight keep a fixed order. */
  #rank(group: number): number {
    return (this.#phrases.weights[group] as number) * 100 + (99 - group);
  }

  #heaviestBelow(limit: number, least: number): number {
    let best = -1;
    for (let group = 0; group < phraseGroups.length; group++) {
      if ((this.#phrases.weights[group] as number) < least || this.#rank(group) >= limit) continue;
      if (best < 0 || this.#rank(group) > this.#rank(best)) best = group;
    }
    return best;
  }
}

/** Whole words. Numbers tell a reader nothing, and may be parts of a phone number. */
function quoted(words: readonly string[]): string {
  const telling = words.filter((word) => !/^\p{N}/u.test(word));
  const [first, ...more] = (telling.length > 0 ? telling : words).map((word) => `"${word}"`);
  return more.reduce(
    (shown, word) => (shown.length + word.length + 2 > evidenceCharactersMax ? shown : `${shown}, ${word}`),
    first ?? '',
  );
}
