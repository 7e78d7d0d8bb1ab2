import type { TextScan } from './scan.ts';

// Shorter messages are often filled in by the form itself.
const comparedWordsMin = 20;
// Repeated texts begin the same way.
const wordsMax = 64;
/** Enough for counting up to `wordsMax`. */
const planesPerHalf = 7;

/** The fingerprint of a message. */
export class MessagePrint {
  /** Hash of all its words in order. */
  exact = 0;
  /** 64 bits of which few change when few words change (simhash over word pairs); 0 for a short message. */
  high = 0;
  low = 0;
  /** Without its links. */
  characters = 0;

  /** `planes` is working memory. */
  take({ wordHashes, wordCount, length, linkCharacters }: TextScan, planes: Int32Array): void {
    this.characters = length - linkCharacters;
    let exact = length;
    for (let word = 0; word < wordCount; word++)
      exact = Math.imul(exact ^ (wordHashes[word] as number), 0x01000193);
    this.exact = exact;
    if (wordCount >= comparedWordsMin) this.#vote(wordHashes, Math.min(wordCount, wordsMax), planes);
  }

  #vote(wordHashes: Int32Array, count: number, planes: Int32Array): void {
    planes.fill(0);
    let before = 0;
    for (let word = 0; word < count; word++) {
      const hash = Math.imul(before ^ (wordHashes[word] as number), 0x9e3779b1);
      const low = hash ^ (hash >>> 15);
      addVotes(planes, 0, low);
      addVotes(planes, planesPerHalf, Math.imul(low ^ 0x5bd1e995, 0x85ebca6b));
      before = wordHashes[word] as number;
    }
    this.low = majority(planes, 0, count);
    this.high = majority(planes, planesPerHalf, count);
  }
}

export function newPlanes(): Int32Array {
  return new Int32Array(2 * planesPerHalf);
}

/**
 * 32 counters, stored vertically: a plane holds one binary digit of each. Adding one vote for each of 32 bits takes a
 * few operations, as most carries end after a digit or two.
 */
function addVotes(planes: Int32Array, first: number, votes: number): void {
  let carry = votes;
  for (let plane = first; carry !== 0; plane++) {
    const before = planes[plane] as number;
    planes[plane] = before ^ carry;
    carry &= before;
  }
}

/** The bits with more than half of the votes: all counters compared with one number, digit by digit. */
function majority(planes: Int32Array, first: number, count: number): number {
  const least = (count >> 1) + 1;
  let isMore = 0;
  let isEqual = -1;
  for (let digit = planesPerHalf - 1; digit >= 0; digit--) {
    const votes = planes[first + digit] as number;
    const wanted = -((least >> digit) & 1);
    isMore |= isEqual & votes & ~wanted;
    isEqual &= ~(votes ^ wanted);
  }
  return isMore | isEqual;
}
