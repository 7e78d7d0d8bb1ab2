const wordCharactersMax = 64;

/** The candidate that is the fewest changes away from the word; null if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > wordCharactersMax) return null;
  let best: string | null = null;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const changes = distance(word.toUpperCase(), candidate.toUpperCase());
    if (changes < fewest) [best, fewest] = [candidate, changes];
  }
  return best;
}

/** Levenshtein: letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
