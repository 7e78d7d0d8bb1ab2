/** What one pass over the bytes of a body tells before it is parsed. Exact for JSON; otherwise up to the first error. */
export interface BodyShape {
  readonly bytes: number;
  readonly keys: number;
  /** Array elements and object members, counted by commas and opening brackets: never an undercount. */
  readonly values: number;
  readonly depth: number;
  /** Backslashes inside strings. */
  readonly escapes: number;
  /** Escapes can spell NUL and lone surrogates, which jsonb rejects. */
  readonly hasUnicodeEscape: boolean;
  /**
   * Exponents can spell numbers that are a few bytes here and megabytes once PostgreSQL writes them out; it also rejects
   * fractions of many thousand digits.
   */
  readonly hasOddNumber: boolean;
  /** More digits before the point than JavaScript can represent exactly. */
  readonly hasLongNumber: boolean;
}

/**
 * The cost of parsing, cleaning and scoring a body, in values. A body above this would hold up other requests. Every
 * body with more than 1,000 keys or 10,000 values is above it.
 */
const weightMax = 10_000;
const keyWeight = 9;
const bytesPerWeight = 32;
/** A body that has to be cleaned is traversed several times. */
const cleanedWeight = 10;

/** True for a body that is parsed and scored in a separate thread. */
export function isHeavy({ bytes, keys, values, escapes, ...odd }: BodyShape): boolean {
  const isCleaned = odd.hasUnicodeEscape || odd.hasOddNumber || odd.hasLongNumber;
  const weight = values + escapes + keys * keyWeight + bytes / bytesPerWeight;
  return weight * (isCleaned ? cleanedWeight : 1) > weightMax;
}

const kinds = { other: 0, quote: 1, open: 2, close: 3, comma: 4, colon: 5, digit: 6 } as const;
const kindOfByte = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', kinds.quote],
  ['[{', kinds.open],
  [']}', kinds.close],
  [',', kinds.comma],
  [':', kinds.colon],
  ['0123456789', kinds.digit],
] as const)
  for (const character of characters) kindOfByte[character.charCodeAt(0)] = kind;

const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const point = 0x2e;
const smallE = 0x65;
const smallU = 0x75;
/** The number of digits of the largest integer that JavaScript holds exactly. */
const longDigits = 16;
const oddDigits = 300;

/** `isEnough` ends the pass as soon as the body is known to be heavy; only `isHeavy` is meaningful then. */
export function shapeOf(bytes: Uint8Array, isEnough = false): BodyShape {
  const end = bytes.length;
  let keys = 0;
  let values = 0;
  let depth = 0;
  let deepest = 0;
  let escapes = 0;
  let hasUnicodeEscape = false;
  let hasOddNumber = false;
  let hasLongNumber = false;
  const partsMax = isEnough ? weightMax : Number.POSITIVE_INFINITY;
  for (let at = 0; at < end && values <= partsMax; at++) {
    const byte = bytes[at] as number;
    // Skips long runs quickly.
    if (byte <= space) continue;
    switch (kindOfByte[byte]) {
      case kinds.quote:
        for (at++; at < end; at++) {
          const inside = bytes[at] as number;
          if (inside === quote) break;
          if (inside !== backslash) continue;
          escapes++;
          at++;
          if (at < end && bytes[at] === smallU) hasUnicodeEscape = true;
        }
        break;
      case kinds.open:
        values++;
        if (++depth > deepest) deepest = depth;
        break;
      case kinds.close:
        depth--;
        break;
      case kinds.comma:
        values++;
        break;
      case kinds.colon:
        keys++;
        break;
      case kinds.digit: {
        const from = at;
        while (at + 1 < end && isDigit(bytes[at + 1] as number)) at++;
        const digits = at + 1 - from;
        if (digits >= longDigits && (from === 0 || bytes[from - 1] !== point)) hasLongNumber = true;
        if (digits >= oddDigits) hasOddNumber = true;
        if (at + 1 < end && ((bytes[at + 1] as number) | 0x20) === smallE) hasOddNumber = true;
      }
    }
  }
  return { bytes: end, keys, values, depth: deepest, escapes, hasUnicodeEscape, hasOddNumber, hasLongNumber };
}

export function isDigit(code: number): boolean {
  return (code - 0x30) >>> 0 < 10;
}
