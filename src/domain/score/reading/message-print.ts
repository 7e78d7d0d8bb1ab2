import { type Sketch, sketchOf } from '../repeats/sketch.ts';
import type { LinkInText, TextScan } from './scan.ts';
import { wordHash, wordHashPrime } from './word-hash.ts';

// Shorter messages of different people are often the same, or filled in by the form itself.
const comparedWordsMin = 20;
const tailCharacters = 256;
const linksHashed = 4;

/** The fingerprint of a message. */
export class MessagePrint {
  /** Hash of all its words in order, and of its links. */
  exact = 0;
  /** Null for a short message. */
  sketch: Sketch | null = null;
  /** Both without its links. */
  characters = 0;
  words = 0;

  take(scan: TextScan): void {
    const { text, wordHashes, wordCount, length, links } = scan;
    this.characters = length - scan.linkCharacters;
    this.words = wordCount;
    let exact = text.length;
    for (let word = 0; word < wordCount; word++)
      exact = Math.imul(exact ^ (wordHashes[word] as number), wordHashPrime);
    for (let link = 0; link < links.length && link < linksHashed; link++) {
      const { start, end } = links[link] as LinkInText;
      exact = Math.imul(exact ^ wordHash(text.slice(start, end)), wordHashPrime);
    }
    // Of a longer text only the beginning is scanned.
    if (text.length > length) exact ^= wordHash(text.slice(-tailCharacters));
    this.exact = exact;
    if (wordCount >= comparedWordsMin) this.sketch = sketchOf(scan);
  }
}
