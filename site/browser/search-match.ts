/** A part of the documentation that the search can find. */
export interface Passage {
  readonly address: string;
  readonly page: string;
  /** Empty for what stands above the first heading of a page. */
  readonly heading: string;
  readonly text: string;
}

export interface Found {
  readonly passage: Passage;
  /** Some words around the first hit. */
  readonly excerpt: string;
}

const foundMax = 12;
const excerptCharacters = 110;

/** Passages that hold every word of the query, or a word that begins with it; titles count more than text. */
export function search(passages: readonly Passage[], query: string): Found[] {
  const words = fold(query)
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return passages
    .map((passage) => ({ passage, points: pointsOf(passage, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
    .slice(0, foundMax)
    .map(({ passage }) => ({ passage, excerpt: excerptOf(passage.text, words) }));
}

/** Zero as soon as one word is nowhere. */
function pointsOf({ page, heading, text }: Passage, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const points =
      6 * hits(page, word) * (heading === '' ? 3 : 1) + 8 * hits(heading, word) + hits(text, word);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

/** 2 for a whole word, 1 for the beginning of one, 0 for none. */
function hits(text: string, word: string): number {
  const folded = fold(text);
  let best = 0;
  for (let at = folded.indexOf(word); at !== -1 && best < 2; at = folded.indexOf(word, at + 1)) {
    if (isWordCharacter(folded[at - 1])) continue;
    best = isWordCharacter(folded[at + word.length]) ? Math.max(best, 1) : 2;
  }
  return best;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function excerptOf(text: string, words: readonly string[]): string {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  const at = Math.max(0, Math.min(...places, text.length) - 30);
  const start = at === 0 || places.length === 0 ? 0 : text.indexOf(' ', at) + 1;
  const excerpt = text.slice(start, start + excerptCharacters);
  return `${start === 0 ? '' : '… '}${excerpt}${start + excerptCharacters < text.length ? ' …' : ''}`;
}

/** Without case. Lengths stay as they are, so that places in the one are places in the other. */
function fold(text: string): string {
  return text.toLowerCase();
}
