import { isBareDomain, linkEnd } from './links-in-text.ts';
import { baseLetters, scriptOf, scripts } from './tables/letters.ts';

/** No lead can make the scorer read more than this; what lies beyond is stored, but not judged. */
export const fieldCharactersMax = 2_048;

export interface LinkInText {
  readonly start: number;
  readonly end: number;
  /** `url` has a scheme or www; `bare` is only a domain name, which can also be the name of a company. */
  readonly kind: 'url' | 'bare';
  readonly host: string;
}

/** `latin` is spelt in Latin letters, perhaps with digits at the end; `jumbled` has digits among its letters. */
export const wordKinds = { unknown: 0, latin: 1, jumbled: 2 } as const;
export const marks = { angle: 1, bracket: 2, brace: 4, equals: 8 } as const;
const linksKeptMax = 32;
const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;

const kinds = { other: 0, lower: 1, upper: 2, digit: 3, space: 4 } as const;
const classOfAscii = new Uint8Array(128);
for (let code = 97; code <= 122; code++) classOfAscii[code] = kinds.lower;
for (let code = 65; code <= 90; code++) classOfAscii[code] = kinds.upper;
for (let code = 48; code <= 57; code++) classOfAscii[code] = kinds.digit;
for (const code of [9, 10, 11, 12, 13, 32]) classOfAscii[code] = kinds.space;

/**
 * One pass over a text: its words as hashes, its links, and counts of what is telling. One object serves all
 * texts, one after the other, so that a lead costs no memory. Links are not words: whatever is judged by words
 * stays the same when a link is added.
 */
export class TextScan {
  readonly wordHashes = new Uint32Array(fieldCharactersMax);
  readonly wordStarts = new Uint16Array(fieldCharactersMax);
  readonly wordEnds = new Uint16Array(fieldCharactersMax);
  /** What can be said of its spelling. */
  readonly wordKinds = new Uint8Array(fieldCharactersMax);
  /** Changes from a small to a capital letter inside the word. */
  readonly wordRises = new Uint8Array(fieldCharactersMax);
  wordCount = 0;
  letters = 0;
  capitals = 0;
  digits = 0;
  hidden = 0;
  mixedWords = 0;
  addresses = 0;
  scripts = 0;
  linkCount = 0;
  linkCharacters = 0;
  /** Which of < [ { = were seen: markup and code need one of them. */
  marks = 0;
  length = 0;
  links: LinkInText[] = [];
  text = '';

  #start = -1;
  #hash = hashSeed;
  #scripts = 0;
  #rises = 0;
  #digitsInside = 0;
  #digitsLast = 0;

  scan(text: string): void {
    this.#reset(text);
    const end = this.length;
    let wasLower = false;
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code >= 128) {
        wasLower = this.#wide(code, at);
        continue;
      }
      switch (classOfAscii[code]) {
        case kinds.lower:
          this.letters++;
          this.#letter(code, at);
          wasLower = true;
          break;
        case kinds.upper:
          this.letters++;
          this.capitals++;
          if (wasLower) this.#rises++;
          this.#letter(code | 32, at);
          wasLower = false;
          break;
        case kinds.digit:
          this.digits++;
          this.#digit(code, at);
          wasLower = false;
          break;
        default:
          at = this.#mark(code, at);
          wasLower = false;
      }
    }
    this.#endWord(end);
  }

  #reset(text: string): void {
    this.text = text;
    this.length = Math.min(text.length, fieldCharactersMax);
    this.wordCount = this.letters = this.capitals = this.digits = this.hidden = this.mixedWords = 0;
    this.addresses = this.scripts = this.linkCount = this.linkCharacters = this.marks = 0;
    if (this.links.length > 0) this.links = [];
    this.#forgetWord();
  }

  #forgetWord(): void {
    this.#start = -1;
    this.#hash = hashSeed;
    this.#scripts = 0;
    this.#rises = 0;
    this.#digitsInside = 0;
    this.#digitsLast = 0;
  }

  #letter(code: number, at: number): void {
    if (this.#start < 0) this.#start = at;
    this.#scripts |= scripts.latin;
    if (this.#digitsLast > 0) {
      this.#digitsInside += this.#digitsLast;
      this.#digitsLast = 0;
    }
    this.#hash = Math.imul(this.#hash ^ code, hashPrime);
  }

  #digit(code: number, at: number): void {
    if (this.#start < 0) this.#start = at;
    this.#digitsLast++;
    this.#hash = Math.imul(this.#hash ^ code, hashPrime);
  }

  /** A character beyond ASCII; true for a small Latin letter. */
  #wide(code: number, at: number): boolean {
    const base = code < 0x180 ? (baseLetters[code - 0x80] ?? 0) : 0;
    if (base !== 0) {
      const isUpper = base < 97;
      this.letters++;
      if (isUpper) this.capitals++;
      this.#letter(base | 32, at);
      return !isUpper;
    }
    // The typographic apostrophe belongs to its word too.
    if (code === 0x2019 && this.#start >= 0) return false;
    // A combining accent changes nothing about its letter.
    if (code >= 0x300 && code <= 0x36f) return true;
    const script = scriptOf(code);
    if (script > 0) {
      this.letters++;
      if (this.#start < 0) this.#start = at;
      this.#scripts |= script;
      this.#hash = Math.imul(this.#hash ^ lowerWide(code), hashPrime);
    } else if (script < 0) this.hidden++;
    else this.#endWord(at);
    return false;
  }

  /** A mark or a space ends a word, unless it makes a link of it. Returns where to go on. */
  #mark(code: number, at: number): number {
    if (code === 58 && this.text.startsWith('://', at) && this.#start >= 0)
      return this.#link(this.#start, 'url');
    if (code === 46 && this.#start >= 0) {
      const begin = this.#tokenStart(at);
      if (at - begin === 3 && this.text.slice(begin, at).toLowerCase() === 'www')
        return this.#link(begin, 'url');
      if (isBareDomain(this.text, begin, at)) return this.#link(begin, 'bare');
    }
    if (code === 60) this.marks |= marks.angle;
    else if (code === 91) this.marks |= marks.bracket;
    else if (code === 123) this.marks |= marks.brace;
    else if (code === 61) this.marks |= marks.equals;
    if (code === 64 && this.#start >= 0) this.addresses++;
    // An apostrophe belongs to its word: "don't", "O'Brien".
    if (code === 39 && this.#start >= 0) return at;
    this.#endWord(at);
    return at;
  }

  /** The beginning of the host name that the current word is the last label of. */
  #tokenStart(at: number): number {
    let begin = this.#start;
    while (begin > 0 && at - begin < 64 && isHostCharacter(this.text.charCodeAt(begin - 1))) begin--;
    return begin;
  }

  #link(start: number, kind: LinkInText['kind']): number {
    const end = Math.min(linkEnd(this.text, start), this.length);
    this.linkCount++;
    this.linkCharacters += end - start;
    if (this.links.length < linksKeptMax) {
      this.links.push({ start, end, kind, host: hostOf(this.text.slice(start, Math.min(end, start + 300))) });
    }
    // Labels of the host may have been taken for words already.
    while (this.wordCount > 0 && (this.wordStarts[this.wordCount - 1] as number) >= start) this.wordCount--;
    this.#forgetWord();
    return end - 1;
  }

  #kindOfWord(): number {
    if (this.#scripts !== scripts.latin) return wordKinds.unknown;
    return this.#digitsInside > 0 ? wordKinds.jumbled : wordKinds.latin;
  }

  #endWord(at: number): void {
    if (this.#start < 0) return;
    const word = this.wordCount++;
    this.wordHashes[word] = this.#hash >>> 0;
    this.wordStarts[word] = this.#start;
    this.wordEnds[word] = at;
    this.wordKinds[word] = this.#kindOfWord();
    this.wordRises[word] = Math.min(255, this.#rises);
    this.scripts |= this.#scripts;
    if (isDeceptive(this.#scripts)) this.mixedWords++;
    this.#forgetWord();
  }
}

/** Latin together with letters that look like Latin ones; other mixtures are ordinary in some languages. */
function isDeceptive(found: number): boolean {
  return (found & scripts.latin) !== 0 && (found & (scripts.cyrillic | scripts.greek)) !== 0;
}

function lowerWide(code: number): number {
  if (code >= 0x410 && code <= 0x42f) return code + 0x20;
  if (code >= 0x400 && code <= 0x40f) return code + 0x50;
  return code === 0x451 ? 0x435 : code;
}

function isHostCharacter(code: number): boolean {
  return code === 45 || code === 46 || (code < 128 ? (classOfAscii[code] as number) % 4 > 0 : false);
}

function hostOf(link: string): string {
  const rest = link.replace(/^[a-z]{2,12}:\/\//i, '');
  const end = rest.search(/[/?#\\]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
}

export function wordHash(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime);
  return hash >>> 0;
}
