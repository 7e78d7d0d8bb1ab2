const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;
export const wordHashSeed = seed;
export const wordHashPrime = prime;

/** Of a word in lower case without accents. Signed, because V8 stores such numbers without allocating. */
export function wordHash(word: string): number {
  let hash = seed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), prime);
  return hash | 0;
}
