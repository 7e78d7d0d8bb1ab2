import {
  baseLetters,
  isDeceptive,
  isHostCharacter,
  kindOfAscii,
  kinds,
  lowerWide,
  scriptOf,
  scripts,
} from '../tables/letters.ts';
import { isBareDomain, linkEnd } from './links-in-text.ts';
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
const hostCharactersMax = 64;
const linksKeptMax = 32;
/** Calling out of JavaScript costs as much as copying about this many characters. */
const loopedCharactersMax = 48;
const space = 32;

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
  scripts = 0;
  linkCount = 0;
  linkCharacters = 0;
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
    let hash = wordHashSeed;
    let found = 0;
    let rises = 0;
    let digitsInside = 0;
    let digitsLast = 0;
    let isAfterSmall = false;
    let letters = 0;
    let capitals = 0;
    let digits = 0;
    for (let at = 0; at < end; at++) {
      const code = codes[at] as number;
      let letter = 0;
      if (code < 128) {
        const kind = kindOfAscii[code] as number;
        if (kind === kinds.lower && digitsLast === 0) {
          if (start < 0) {
            const before = this.wordCount;
            const next = this.#plainWords(at);
            if (next > at) {
              // Each is followed by a space.
              letters += next - at - (this.wordCount - before);
              at = next - 1;
              continue;
            }
            start = at;
          }
          found |= scripts.latin;
          isAfterSmall = true;
          const from = at;
          let small = code;
          do {
            hash = Math.imul(hash ^ small, wordHashPrime);
            small = codes[++at] as number;
          } while ((small - 97) >>> 0 < 26);
          letters += at - from;
          at--;
          continue;
        }
        if (kind === kinds.lower || kind === kinds.upper) letter = code;
        else if (kind === kinds.digit) {
          digits++;
          if (start < 0) start = at;
          digitsLast++;
          hash = Math.imul(hash ^ code, wordHashPrime);
          isAfterSmall = false;
          continue;
          // An apostrophe is part of its word: "don't", "O'Brien".
        } else if (code === 39 && start >= 0) continue;
        else if (kind === kinds.other) {
          const linkEnd = this.#mark(code, at, start);
          if (linkEnd > at) {
            start = -1;
            at = linkEnd - 1;
          }
        }
      } else {
        letter = code < 0x180 ? (baseLetters[code - 0x80] as number) : 0;
        if (letter === 0) {
          if (code === 0xa3 || code === 0x20ac) this.signs |= signs.price;
          const script = code === 0x2019 || (code >= 0x300 && code <= 0x36f) ? scripts.none : scriptOf(code);
          // Combining accents and typographic apostrophes do not change their word.
          if (script === scripts.none && start >= 0) continue;
          if (script < 0) {
            this.hidden++;
            continue;
          }
          if (script > 0 && script !== scripts.none) {
            letters++;
            if (start < 0) start = at;
            found |= script;
            hash = Math.imul(hash ^ lowerWide(code), wordHashPrime);
            isAfterSmall = false;
            continue;
          }
        }
      }
      if (letter !== 0) {
        letters++;
        if (start < 0) start = at;
        found |= scripts.latin;
        const isCapital = letter < 97;
        if (isCapital) {
          capitals++;
          if (isAfterSmall) rises++;
        }
        isAfterSmall = !isCapital;
        if (digitsLast > 0) {
          digitsInside += digitsLast;
          digitsLast = 0;
        }
        hash = Math.imul(hash ^ (letter | 32), wordHashPrime);
        continue;
      }
      if (start >= 0) this.#keepWord(start, at, hash, found, rises, digitsInside);
      start = -1;
      hash = wordHashSeed;
      found = rises = digitsInside = digitsLast = 0;
      isAfterSmall = false;
    }
    if (start >= 0) this.#keepWord(start, end, hash, found, rises, digitsInside);
    this.letters = letters;
    this.capitals = capitals;
    this.digits = digits;
  }

  /**
   * The bulk of any text: keeps the words from `from` on that consist of small letters and end with a space, and returns
   * where the first other one begins. A short loop of their own is faster.
   */
  #plainWords(from: number): number {
    const { codes, wordHashes, wordStarts, wordEnds, wordKinds: spellings, wordRises } = this;
    let word = this.wordCount;
    let start = from;
    for (let at = from; ; at++) {
      let hash = wordHashSeed;
      let code = codes[at] as number;
      while ((code - 97) >>> 0 < 26) {
        hash = Math.imul(hash ^ code, wordHashPrime);
        code = codes[++at] as number;
      }
      if (code !== space || at === start) break;
      wordHashes[word] = hash;
      wordStarts[word] = start;
      wordEnds[word] = at;
      wordRises[word] = 0;
      spellings[word] = wordKinds.latin;
      word++;
      start = at + 1;
    }
    if (word > this.wordCount) this.scripts |= scripts.latin;
    this.wordCount = word;
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
    this.questions = this.exclamations = 0;
    this.addresses = this.scripts = this.linkCount = this.linkCharacters = this.signs = 0;
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
      case 46:
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
    let begin = start;
    while (begin > 0 && at - begin < hostCharactersMax && isHostCharacter(this.text.charCodeAt(begin - 1)))
      begin--;
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
    const latin = digitsInside > 0 ? wordKinds.jumbled : wordKinds.latin;
    this.wordKinds[word] = found === scripts.latin ? latin : wordKinds.unknown;
    this.scripts |= found;
    if (!isDeceptive(found)) return;
    this.mixedWords++;
    this.mixedWord = word;
  }
}
