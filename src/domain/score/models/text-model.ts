/**
 * A small linear model over hashed words and word pairs. It knows little beyond the spam it was trained on, so it
 * adds a few points and never decides alone.
 */
export interface TextModel {
  readonly weights: Int8Array;
  readonly bias: number;
  readonly weak: number;
  readonly medium: number;
  readonly strong: number;
}

const wordsMax = 200;

/** The sum of the weights, damped so that long texts do not score high just for their length. */
export function textScore(model: TextModel, wordHashes: Int32Array, wordCount: number): number {
  const count = Math.min(wordCount, wordsMax);
  if (count === 0) return 0;
  const { weights } = model;
  const mask = weights.length - 1;
  let sum = 0;
  let before = 0;
  for (let word = 0; word < count; word++) {
    const hash = wordHashes[word] as number;
    sum += (weights[wordSlot(hash) & mask] as number) + (weights[pairSlot(before, hash) & mask] as number);
    before = hash;
  }
  return model.bias + sum / lengthDamping(count);
}

export function wordSlot(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (spread ^ (spread >>> 13)) >>> 0;
}

export function pairSlot(before: number, hash: number): number {
  return wordSlot((Math.imul(before, 0x9e3779b1) ^ hash) >>> 0);
}

export function lengthDamping(wordCount: number): number {
  return Math.sqrt(wordCount + 4);
}
