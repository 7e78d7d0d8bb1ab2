import { HashTable } from './hash-table.ts';

const startLetters = 4;

/** Finds words of a table inside longer names in ASCII, such as "login" in "securelogin24". */
export class WordFinder {
  /** By the first letters of a word: where its list is, plus one. */
  readonly #listByStart = new HashTable();
  /** Words with the same start, the longest first. */
  readonly #lists: string[][] = [];
  /** Rules out almost all places by three characters. */
  readonly #mayStart = new Uint8Array(1 << 15);
  readonly #alike = Uint8Array.from({ length: 128 }, (_, code) => code);

  /**
   * Words of fewer than four letters would be found everywhere. `alike` are pairs of characters that count as the same:
   * with "1l", "paypa1" contains "paypal".
   */
  constructor(words: Iterable<string>, alike: readonly string[] = []) {
    for (const pair of alike) this.#alike[pair.charCodeAt(0)] = pair.charCodeAt(1);
    for (const word of words) {
      if (word.length < startLetters) throw new Error(`"${word}" is too short`);
      const { codes } = new NameCodes().take(word);
      const start = this.#startAt(codes, 0);
      this.#mayStart[this.#firstThree(codes, 0)] = 1;
      if (this.#listByStart.get(start) === 0) this.#listByStart.set(start, this.#lists.push([]));
      this.#lists[this.#listByStart.get(start) - 1]?.push(word);
    }
    for (const list of this.#lists) list.sort((a, b) => b.length - a.length);
  }

  /** The longest word that starts there, or null. */
  wordAt({ codes, length }: NameCodes, at: number): string | null {
    if (this.#mayStart[this.#firstThree(codes, at)] === 0 || at + startLetters > length) return null;
    const list = this.#listByStart.get(this.#startAt(codes, at));
    if (list === 0) return null;
    for (const word of this.#lists[list - 1] as string[])
      if (at + word.length <= length && this.#isAt(codes, at, word)) return word;
    return null;
  }

  #isAt(codes: Uint8Array, at: number, word: string): boolean {
    const alike = this.#alike;
    for (let place = 0; place < word.length; place++)
      if (alike[codes[at + place] as number] !== alike[word.charCodeAt(place)]) return false;
    return true;
  }

  #firstThree(codes: Uint8Array, at: number): number {
    const alike = this.#alike;
    const first = alike[codes[at] as number] as number;
    const second = alike[codes[at + 1] as number] as number;
    const third = alike[codes[at + 2] as number] as number;
    return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
  }

  #startAt(codes: Uint8Array, at: number): number {
    const alike = this.#alike;
    let start = 0;
    for (let place = at; place < at + startLetters; place++)
      start = (start << 7) | (alike[codes[place] as number] as number);
    return start;
  }
}

const nameCharactersMax = 255;

/** The characters of a name; those outside ASCII are 0. Reading from an array is faster than from a string. */
export class NameCodes {
  /** Zeros follow the last character. */
  readonly codes = new Uint8Array(nameCharactersMax + 3);
  length = 0;

  /** Of a longer name, the end counts: that is where the domain is. */
  take(name: string): this {
    const { codes } = this;
    const from = Math.max(0, name.length - nameCharactersMax);
    this.length = name.length - from;
    for (let at = 0; at < this.length; at++) {
      const code = name.charCodeAt(from + at);
      codes[at] = code < 128 ? code : 0;
    }
    codes.fill(0, this.length, this.length + 3);
    return this;
  }
}
