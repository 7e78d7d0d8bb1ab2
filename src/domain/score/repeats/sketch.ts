/**
 * 32 parts of four bits each. Each part comes from one word or pair of words, chosen by hash among those of its share of
 * the text (min-hashing). So texts have about as many parts in common as words, in whatever order their sentences are.
 */
export type Sketch = readonly [number, number, number, number];

const parts = 32;
/** Repeated texts begin the same way. */
const wordsMax = 80;
/** Shorter words are in every text. They count only in pairs. */
const wordCharactersMin = 4;
const none = 0x7fffffff;

interface Words {
  readonly wordHashes: Int32Array;
  readonly wordStarts: Uint16Array;
  readonly wordEnds: Uint16Array;
  readonly wordCount: number;
}

/** By part; it serves all texts in turn. */
const minima = new Int32Array(parts);

export function sketchOf({ wordHashes, wordStarts, wordEnds, wordCount }: Words): Sketch {
  minima.fill(none);
  const count = Math.min(wordCount, wordsMax);
  let before = 0;
  for (let word = 0; word < count; word++) {
    const hash = mixed(wordHashes[word] as number);
    keepLeast(mixed(before ^ hash));
    if ((wordEnds[word] as number) - (wordStarts[word] as number) >= wordCharactersMin) keepLeast(hash);
    // Not the hash itself: otherwise the order of two words would not matter, and a word twice would be nothing.
    before = hash >>> 1;
  }
  return [packed(0), packed(8), packed(16), packed(24)];
}

function keepLeast(hash: number): void {
  const part = hash >>> 27;
  const value = hash & 0x7ffffff;
  if (value < (minima[part] as number)) minima[part] = value;
}

/** Four bits of each of eight minima. A part that got no word takes that of a later part, so that short texts fill all. */
function packed(first: number): number {
  let bits = 0;
  for (let part = first; part < first + 8; part++) {
    let value = minima[part] as number;
    let step = 0;
    while (value === none && step < parts) value = minima[(part + ++step) & (parts - 1)] as number;
    bits = (bits << 4) | (Math.imul(value + step * 7_919, 0x9e3779b1) >>> 28);
  }
  return bits;
}

function mixed(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
}

/** How many of the 32 parts are equal in a sketch and in the one that starts at `at`. */
export function likeness(sketches: Int32Array, at: number, sketch: Sketch): number {
  // A sum of up to four fits in the four bits of a part.
  const apart =
    differing((sketches[at] as number) ^ sketch[0]) +
    differing((sketches[at + 1] as number) ^ sketch[1]) +
    differing((sketches[at + 2] as number) ^ sketch[2]) +
    differing((sketches[at + 3] as number) ^ sketch[3]);
  const pairs = (apart & 0x0f0f0f0f) + ((apart >>> 4) & 0x0f0f0f0f);
  return parts - (Math.imul(pairs, 0x01010101) >>> 24);
}

/** The lowest bit of each part that is not zero. */
function differing(bits: number): number {
  const halves = bits | (bits >>> 2);
  return (halves | (halves >>> 1)) & 0x11111111;
}
