import { phraseGroups, phraseLists } from '../tables/phrases.ts';
import { HashTable } from './hash-table.ts';
import { wordHash } from './word-hash.ts';

interface Ending {
  readonly group: number;
  readonly weight: number;
  readonly phrase: number;
}

const phraseWordsMax = 7;
const whiteSpace = /\s+/;
const goesOn = 1;
const endingsFrom = 2;

/**
 * Looks for all phrases in one pass: the hashes of a phrase's first words form a path, and most words start none.
 * At each place the longest phrase counts, each phrase once, and none inside another.
 */
export class PhraseMatcher {
  /** The first words of all phrases. */
  readonly #beginnings = new HashTable();
  /** Phrases of a single word. */
  readonly #words = new HashTable();
  /** By the hash of a phrase's first words: 1 if phrases only continue from there, otherwise the index of the ending. */
  readonly #paths = new HashTable();
  readonly #endings: Ending[] = [];
  readonly #seen: Uint32Array;
  #count = 0;
  /** By group. */
  readonly weights = new Int16Array(phraseGroups.length);
  /** The position of the heaviest phrase of each group, as word numbers. */
  readonly firstWords = new Uint16Array(phraseGroups.length);
  readonly lastWords = new Uint16Array(phraseGroups.length);
  readonly #heaviest = new Uint8Array(phraseGroups.length);
  totalWeight = 0;
  #text = 0;

  constructor() {
    for (const { group, weight, phrases } of phraseLists) {
      const place = phraseGroups.indexOf(group);
      for (const phrase of phrases) this.#add(phrase, place, weight, this.#count++);
    }
    this.#seen = new Uint32Array(this.#count);
  }

  #add(phrase: string, group: number, weight: number, number: number): void {
    const words = phrase.replaceAll("'", '').split(whiteSpace).map(wordHash);
    this.#beginnings.set(words[0] as number, 1);
    if (words.length === 1) this.#words.set(words[0] as number, 1);
    let path = 0;
    for (const word of words) {
      path = step(path, word);
      if (this.#paths.get(path) === 0) this.#paths.set(path, goesOn);
    }
    const known = this.#endings[this.#paths.get(path) - endingsFrom];
    if (known !== undefined && known.weight >= weight) return;
    this.#paths.set(path, endingsFrom + this.#endings.push({ group, weight, phrase: number }) - 1);
  }

  match(wordHashes: Int32Array, wordCount: number): void {
    if (this.totalWeight > 0) {
      this.weights.fill(0);
      this.#heaviest.fill(0);
      this.totalWeight = 0;
    }
    this.#text++;
    const starts = this.#beginnings.candidates(wordHashes, wordCount);
    const count = this.#keepBegun(wordHashes, starts, this.#beginnings.candidateCount);
    let covered = -1;
    for (let place = 0; place < count; place++) {
      const word = starts[place] as number;
      covered = this.#matchAt(wordHashes, word, Math.min(wordCount, word + phraseWordsMax), covered);
    }
  }

  /**
   * Keeps the places where a phrase may begin with two words or be one, and returns how many there are. Many first words
   * of phrases are in every text. What follows the last word makes no difference: a match ends there.
   */
  #keepBegun(wordHashes: Int32Array, starts: Uint16Array, count: number): number {
    let kept = 0;
    for (let place = 0; place < count; place++) {
      const word = starts[place] as number;
      const hash = wordHashes[word] as number;
      const path = step(step(0, hash), wordHashes[word + 1] as number);
      starts[kept] = word;
      kept += this.#paths.mayHave(path) | this.#words.mayHave(hash);
    }
    return kept;
  }

  /** Returns the last word covered by a phrase so far. */
  #matchAt(wordHashes: Int32Array, start: number, end: number, covered: number): number {
    let path = 0;
    let found = 0;
    let last = start;
    for (let word = start; word < end; word++) {
      path = step(path, wordHashes[word] as number);
      const ending = this.#paths.get(path);
      if (ending === 0) break;
      if (ending === goesOn) continue;
      found = ending;
      last = word;
    }
    if (found === 0 || last <= covered) return covered;
    this.#note(this.#endings[found - endingsFrom] as Ending, start, last);
    return last;
  }

  #note({ group, weight, phrase }: Ending, first: number, last: number): void {
    if (this.#seen[phrase] === this.#text) return;
    this.#seen[phrase] = this.#text;
    if (weight > (this.#heaviest[group] as number)) {
      this.#heaviest[group] = weight;
      this.firstWords[group] = first;
      this.lastWords[group] = last;
    }
    this.weights[group] = (this.weights[group] as number) + weight;
    this.totalWeight += weight;
  }
}

function step(path: number, word: number): number {
  const mixed = Math.imul(path ^ word, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) | 0;
}
