/**
 * Three characters in a row, as a number. A lead that contains a text has all of its grams; the reverse is checked in the
 * lead itself. So what PostgreSQL takes for the same character in another case must be the same here, and more may be.
 */
type Gram = number;

/** Its leads may contain any text: PostgreSQL's lower case of İ depends on its locale, and can have two characters. */
export const anyGram: Gram = 0;

const gramsMax = 8;

export function addGrams(text: string, add: (gram: Gram) => void): void {
  if (text.includes('İ')) add(anyGram);
  const folded = fold(text);
  for (let at = 2; at < folded.length; at++) {
    add(gramOf(folded.charCodeAt(at - 2), folded.charCodeAt(at - 1), folded.charCodeAt(at)));
  }
}

/**
 * Some grams that a value must have to contain the text; none for short ones. `isQuoted`: the value may be part of a JSON
 * text, in which some characters are escaped.
 */
export function gramsToFind(text: string, isQuoted: boolean): Gram[] {
  const parts = fold(text).split(isQuoted ? /\u0307|[\u0000-\u001f"\\]/ : /\u0307/);
  const grams = new Set<Gram>();
  for (const part of parts) addGrams(part, (gram) => grams.add(gram));
  const all = [...grams];
  if (all.length <= gramsMax) return all;
  return Array.from(
    { length: gramsMax },
    (_, i) => all[Math.floor((i * (all.length - 1)) / (gramsMax - 1))] as Gram,
  );
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

const exactBits = 10;
const exactMax = 1 << exactBits;

function gramOf(a: number, b: number, c: number): Gram {
  if (a < exactMax && b < exactMax && c < exactMax) return (a << (2 * exactBits)) | (b << exactBits) | c;
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  // Never one of the exact ones.
  return mixed | (1 << (3 * exactBits));
}
