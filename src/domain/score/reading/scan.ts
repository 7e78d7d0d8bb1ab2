import {
  isAsciiLetter,
  isDeceptive,
  kindOfAscii,
  kinds,
  latinLetters,
  lowerWide,
  scriptOf,
  scripts,
} from '../tables/letters.ts';
import { hostStart, isBareDomain, linkEnd } from './links-in-text.ts';
import { wordHashPrime, wordHashSeed } from './word-hash.ts';

/** The scorer never reads more than this of a lead; the rest is stored but not scored. */
const fieldCharactersMax = 2_048;

export interface LinkInText {
  readonly start: number;
  readonly end: number;
  /** `url` has a scheme or www; `bare` is only a domain name, which can also be a company name. */
  readonly kind: 'url' | 'bare';
}

/** `latin` has Latin letters, perhaps with digits at the end; `jumbled` has digits among its letters. */
export const wordKinds = { unknown: 0, latin: 1, jumbled: 2 } as const;
export const signs = { angle: 1, bracket: 2, brace: 4, equals: 8, price: 16 } as const;
const signOfAscii = new Uint8Array(128);
for (const [place, mark] of [...'<[{=$%'].entries())
  signOfAscii[mark.charCodeAt(0)] = Math.min(1 << place, signs.price);
const linksKeptMax = 32;
/** Calling out of JavaScript costs as much as copying about this many characters. */
const loopedCharactersMax = 48;
const space = 32;
const apostrophe = 39;
const comma = 44;
const dot = 46;

/** V8 builds constants of the same module into its code, but loads imported and exported ones each time. */
const prime = wordHashPrime;
const seed = wordHashSeed;
const asciiKinds = kindOfAscii;
const smallLetters = latinLetters;
const smallLettersEnd = latinLetters.length;
const latinScript = scripts.latin;
const accent = scripts.none;
const latinWord = wordKinds.latin;

/**
 * One pass over a text: its words as hashes, its links, and a few counts. One object serves all texts in turn, so
 * scanning allocates nothing. Links are not words, so adding a link changes nothing that is scored by words.
 */
export class TextScan {
  readonly wordHashes = new Int32Array(fieldCharactersMax);
  readonly wordStarts = new Uint16Array(fieldCharactersMax);
  readonly wordEnds = new Uint16Array(fieldCharactersMax);
  /** The kind of spelling. */
  readonly wordKinds = new Uint8Array(fieldCharactersMax);
  /** Changes from lower case to upper case inside the word. */
  readonly wordRises = new Uint8Array(fieldCharactersMax);
  wordCount = 0;
  letters = 0;
  capitals = 0;
  digits = 0;
  hidden = 0;
  mixedWords = 0;
  /** The number of the last of them. */
  mixedWord = 0;
  addresses = 0;
  questions = 0;
  exclamations = 0;
  linkCount = 0;
  linkCharacters = 0;
  /** Whether other characters than ASCII and common Latin letters occur. */
  hasWide = false;
  /** Which of < [ { = occur, because markup and code need one of them; also currency and per cent signs. */
  signs = 0;
  length = 0;
  links: LinkInText[] = [];
  text = '';
  /** The characters of the text. Reading from an array of numbers is twice as fast as charCodeAt. */
  readonly codes = new Uint16Array(fieldCharactersMax + 1);
  readonly #codeBytes = Buffer.from(this.codes.buffer);

  scan(text: string): void {
    this.#reset(text);
    const end = this.length;
    // Local variables, because most of the time of a score is spent in this loop.
    const { codes } = this;
    let start = -1;
    let hash = seed;
    let found = 0;
    let rises = 0;
    let digitsInside = 0;
    let digitsLast = 0;
    let isAfterSmall = 0;
    for (let at = 0; at < end; at++) {
      let code = codes[at] as number;
      if (start < 0 && isAsciiLetter(code)) {
        at = this.#plainWords(at);
        code = codes[at] as number;
        if (at === end) break;
      }
      let letter = code < smallLettersEnd ? (smallLetters[code] as number) : 0;
      if (letter !== 0) {
        if (start < 0) start = at;
        found |= latinScript;
        digitsInside += digitsLast;
        digitsLast = 0;
        const from = at;
        do {
          const isCapital = letter >>> 7;
          this.capitals += isCapital;
          rises += isCapital & isAfterSmall;
          isAfterSmall = isCapital ^ 1;
          hash = Math.imul(hash ^ (letter & 127), prime);
          code = codes[++at] as number;
          letter = code < smallLettersEnd ? (smallLetters[code] as number) : 0;
        } while (letter !== 0);
        this.letters += at - from;
        if (at === end) break;
      }
      if (code !== space) {
        if (code < 128) {
          const kind = asciiKinds[code] as number;
          if (kind === kinds.digit) {
            this.digits++;
            if (start < 0) start = at;
            digitsLast++;
            hash = Math.imul(hash ^ code, prime);
            isAfterSmall = 0;
            continue;
          }
          // An apostrophe is part of its word: "don't", "O'Brien".
          if (code === apostrophe && start >= 0) continue;
          if (kind === kinds.other) {
            const linkEnd = this.#mark(code, at, start);
            if (linkEnd > at) {
              start = -1;
              at = linkEnd - 1;
            }
          }
        } else {
          this.hasWide = true;
          if (code === 0xa3 || code === 0x20ac) this.signs |= signs.price;
          const script = code === 0x2019 || (code >= 0x300 && code <= 0x36f) ? accent : scriptOf(code);
          // Combining accents and typographic apostrophes do not change their word.
          if (script === accent && start >= 0) continue;
          if (script < 0) {
            this.hidden++;
            continue;
          }
          if (script > 0 && script !== accent) {
            this.letters++;
            if (start < 0) start = at;
            found |= script;
            hash = Math.imul(hash ^ lowerWide(code), prime);
            isAfterSmall = 0;
            continue;
          }
        }
      }
      if (start >= 0) this.#keepWord(start, at, hash, found, rises, digitsInside);
      start = -1;
      hash = seed;
      found = rises = digitsInside = digitsLast = isAfterSmall = 0;
    }
    if (start >= 0) this.#keepWord(start, end, hash, found, rises, digitsInside);
  }

  /**
   * The bulk of any text: keeps the words from `from` on that consist of small letters, perhaps after a capital, and end
   * with a space, a comma or a full stop. Returns where the first other one begins. A short loop is much faster.
   */
  #plainWords(from: number): number {
    const { codes, wordHashes, wordStarts, wordEnds, wordKinds: spellings, wordRises } = this;
    let word = this.wordCount;
    let capitals = 0;
    let letters = 0;
    let start = from;
    for (;;) {
      let at = start;
      let code = codes[at] as number;
      const first = code | 32;
      if ((first - 97) >>> 0 >= 26) break;
      let hash = seed;
      const isCapital = ((code >>> 5) & 1) ^ 1;
      code = first;
      do {
        hash = Math.imul(hash ^ code, prime);
        code = codes[++at] as number;
      } while ((code - 97) >>> 0 < 26);
      let next = at;
      // Not "www.", and no other dot that may be part of a link.
      if (code === comma || (code === dot && at - start > 3)) code = codes[++next] as number;
      if (code !== space) break;
      wordHashes[word] = hash;
      wordStarts[word] = start;
      wordEnds[word] = at;
      wordRises[word] = 0;
      spellings[word] = latinWord;
      word++;
      capitals += isCapital;
      letters += at - start;
      start = next + 1;
    }
    this.wordCount = word;
    this.capitals += capitals;
    this.letters += letters;
    return start;
  }

  word(number: number): string {
    return this.text.slice(this.wordStarts[number], this.wordEnds[number]);
  }

  #reset(text: string): void {
    this.text = text;
    this.length = Math.min(text.length, fieldCharactersMax);
    this.#copy(text);
    this.wordCount = this.letters = this.capitals = this.digits = this.hidden = this.mixedWords = 0;
    this.questions = this.exclamations = this.addresses = this.signs = 0;
    this.linkCount = this.linkCharacters = 0;
    this.hasWide = false;
    if (this.links.length > 0) this.links = [];
  }

  #copy(text: string): void {
    const { length, codes } = this;
    if (length > loopedCharactersMax) this.#codeBytes.write(text, 'utf16le');
    else for (let at = 0; at < length; at++) codes[at] = text.charCodeAt(at);
    // Ends the last run of letters.
    codes[length] = 0;
  }

  /** A mark ends a word, unless it starts a link; then the end of the link is returned, otherwise 0. */
  #mark(code: number, at: number, start: number): number {
    const { text } = this;
    switch (code) {
      case dot:
        return start < 0 ? 0 : this.#dot(at, start);
      case 58:
        return start >= 0 && text.startsWith('://', at) ? this.#link(start, 'url') : 0;
      case 64:
        if (start >= 0) this.addresses++;
        return 0;
      case 63:
        this.questions++;
        return 0;
      case 33:
        this.exclamations++;
        return 0;
      default:
        this.signs |= signOfAscii[code] as number;
        return 0;
    }
  }

  #dot(at: number, start: number): number {
    // Most dots end a sentence. Only "www." starts a link without a letter behind it.
    if (!isAsciiLetter(this.text.charCodeAt(at + 1)) && (this.text.charCodeAt(at - 1) | 32) !== 119) return 0;
    const begin = hostStart(this.text, start, at);
    if (at - begin === 3 && this.text.slice(begin, at).toLowerCase() === 'www') {
      // "ada@www.engines.io" is a mistyped address, not a link.
      if (begin === 0 || this.text.charCodeAt(begin - 1) !== 64) return this.#link(begin, 'url');
    }
    return isBareDomain(this.text, begin, at) ? this.#link(begin, 'bare') : 0;
  }

  #link(start: number, kind: LinkInText['kind']): number {
    const end = Math.min(linkEnd(this.text, start), this.length);
    this.linkCount++;
    this.linkCharacters += end - start;
    if (this.links.length < linksKeptMax) this.links.push({ start, end, kind });
    // Labels of the host may already have been counted as words.
    while (this.wordCount > 0 && (this.wordStarts[this.wordCount - 1] as number) >= start) this.wordCount--;
    return end;
  }

  #keepWord(
    start: number,
    end: number,
    hash: number,
    found: number,
    rises: number,
    digitsInside: number,
  ): void {
    const word = this.wordCount++;
    this.wordHashes[word] = hash;
    this.wordStarts[word] = start;
    this.wordEnds[word] = end;
    this.wordRises[word] = Math.min(255, rises);
    const latin = digitsInside > 0 ? wordKinds.jumbled : latinWord;
    this.wordKinds[word] = found === latinScript ? latin : wordKinds.unknown;
    if (!isDeceptive(found)) return;
    this.mixedWords++;
    this.mixedWord = word;
  }
}
