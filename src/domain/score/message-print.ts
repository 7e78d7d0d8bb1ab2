import type { TextScan } from './scan.ts';

// Shorter messages are often filled in by the form itself.
const comparedWordsMin = 20;
// Whoever sends the same text again begins it the same way. A counter holds up to 255.
const wordsMax = 64;
const lanes = 16;
/** A nibble of a hash, spread over the four bytes of a number. */
const spread = Int32Array.from({ length: 16 }, (_, nibble) =>
  [0, 1, 2, 3].reduce((sum, bit) => sum + (((nibble >> bit) & 1) << (8 * bit)), 0),
);

/** What a message is compared by. */
export class MessagePrint {
  /** Of all its words, in their order. */
  exact = 0;
  /** 64 bits of which few change when few words do (simhash over pairs of words); 0 for a short message. */
  high = 0;
  low = 0;
  /** Without its links. */
  characters = 0;

  take({ wordHashes, wordCount, length, linkCharacters }: TextScan, counters: Int32Array): void {
    this.characters = length - linkCharacters;
    let exact = length;
    for (let word = 0; word < wordCount; word++)
      exact = Math.imul(exact ^ (wordHashes[word] as number), 0x01000193);
    this.exact = exact;
    if (wordCount >= comparedWordsMin) this.#vote(wordHashes, Math.min(wordCount, wordsMax), counters);
  }

  /** Four counters share a number, so that a word costs 16 additions and not 64. */
  #vote(wordHashes: Int32Array, count: number, counters: Int32Array): void {
    counters.fill(0);
    let before = 0;
    for (let word = 0; word < count; word++) {
      const hash = Math.imul(before ^ (wordHashes[word] as number), 0x9e3779b1);
      const low = hash ^ (hash >>> 15);
      const high = Math.imul(low ^ 0x5bd1e995, 0x85ebca6b);
      for (let lane = 0; lane < 8; lane++) {
        counters[lane] = (counters[lane] as number) + (spread[(low >>> (4 * lane)) & 15] as number);
        counters[lane + 8] = (counters[lane + 8] as number) + (spread[(high >>> (4 * lane)) & 15] as number);
      }
      before = wordHashes[word] as number;
    }
    this.low = majority(counters, 0, count);
    this.high = majority(counters, 8, count);
  }
}

export function newCounters(): Int32Array {
  return new Int32Array(lanes);
}

function majority(counters: Int32Array, from: number, count: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    const votes = ((counters[from + (bit >> 2)] as number) >>> (8 * (bit & 3))) & 255;
    if (votes * 2 > count) bits |= 1 << bit;
  }
  return bits;
}
