/**
 * Three characters in a row, as a number. A lead that contains a text has all of its grams; the reverse is checked in the
 * lead itself. So what PostgreSQL takes for the same character in another case must be the same here, and more may be.
 */
type Gram = number;

/** A lead has at least one of them. */
export interface GramRange {
  readonly first: Gram;
  readonly last: Gram;
}

/** Its leads may contain any text: PostgreSQL's lower case of İ depends on its locale, and can have two characters. */
export const anyGram: Gram = 0;

const gramsMax = 8;

export function addGrams(text: string, add: (gram: Gram) => void): void {
  if (text.includes('İ')) add(anyGram);
  const folded = fold(text);
  for (let at = 1; at < folded.length; at++) {
    const a = folded.charCodeAt(at - 1);
    const b = folded.charCodeAt(at);
    const c = at + 1 < folded.length ? folded.charCodeAt(at + 1) : nothing;
    add(gramOf(a, b, c));
    // So that the grams of two characters are one range, or one gram.
    if (c >= exactMax || (c !== nothing && !isExact(a, b))) add(gramOf(a, b, nothing));
  }
}

/**
 * Some grams that a value must have to contain the text; none for short ones. `isQuoted`: the value may be part of a JSON
 * text, in which some characters are escaped.
 */
export function gramsToFind(text: string, isQuoted: boolean): Gram[] {
  const grams = new Set<Gram>();
  for (const part of partsOf(text, isQuoted))
    for (let at = 2; at < part.length; at++)
      grams.add(gramOf(part.charCodeAt(at - 2), part.charCodeAt(at - 1), part.charCodeAt(at)));
  const all = [...grams];
  if (all.length <= gramsMax) return all;
  return Array.from(
    { length: gramsMax },
    (_, i) => all[Math.floor((i * (all.length - 1)) / (gramsMax - 1))] as Gram,
  );
}

/** The grams of two characters in a row that a value must have to contain the text; null if it has no such part. */
export function pairToFind(text: string, isQuoted: boolean): GramRange | null {
  const pair = partsOf(text, isQuoted).find(({ length }) => length === 2);
  if (pair === undefined) return null;
  const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  const first = gramOf(a, b, nothing);
  return { first, last: isExact(a, b) ? first + exactMax - 1 : first };
}

function partsOf(text: string, isQuoted: boolean): string[] {
  return fold(text).split(isQuoted ? /\u0307|[\u0000-\u001f"\\]/ : /\u0307/);
}

function fold(text: string): string {
  // With a Turkish locale, PostgreSQL takes ı for the lower case of I.
  return text.toLowerCase().replaceAll('ς', 'σ').replaceAll('ı', 'i');
}

const exactBits = 10;
const exactMax = 1 << exactBits;
/** In place of the third character: it is the end of the value, or one that is not exact. No stored text has it. */
const nothing = 0;

function isExact(a: number, b: number): boolean {
  return a < exactMax && b < exactMax;
}

function gramOf(a: number, b: number, c: number): Gram {
  if (isExact(a, b) && c < exactMax) return (a << (2 * exactBits)) | (b << exactBits) | c;
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  // Never one of the exact ones.
  return mixed | (1 << (3 * exactBits));
}
