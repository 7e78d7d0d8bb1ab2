export const wordHashSeed = 0x811c9dc5 | 0;
export const wordHashPrime = 0x01000193;

/** Of a word in lower case without accents. Signed, because V8 stores such numbers without allocating. */
export function wordHash(word: string): number {
  let hash = wordHashSeed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), wordHashPrime);
  return hash | 0;
}
