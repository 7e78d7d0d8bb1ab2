const wordsMax = 255;
const lanes = 16;
/** A nibble of a hash, spread over the four bytes of a number. */
const spread = Uint32Array.from({ length: 16 }, (_, nibble) =>
  [0, 1, 2, 3].reduce((sum, bit) => sum + (((nibble >> bit) & 1) << (8 * bit)), 0),
);

/** A fingerprint of 64 bits of which few change when few words do (simhash over pairs of words). */
export class MessagePrint {
  high = 0;
  low = 0;
  words = 0;
  characters = 0;

  /** Four counters share a number, so that a word costs 16 additions and not 64. */
  take(wordHashes: Uint32Array, wordCount: number, characters: number, counters: Uint32Array): void {
    const count = Math.min(wordCount, wordsMax);
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
    this.words = wordCount;
    this.characters = characters;
    this.low = majority(counters, 0, count);
    this.high = majority(counters, 8, count);
  }
}

export function newCounters(): Uint32Array {
  return new Uint32Array(lanes);
}

function majority(counters: Uint32Array, from: number, count: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    const votes = ((counters[from + (bit >> 2)] as number) >>> (8 * (bit & 3))) & 255;
    if (votes * 2 > count) bits |= 1 << bit;
  }
  return bits >>> 0;
}
