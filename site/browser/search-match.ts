import MiniSearch, { type QueryCombination, type SearchResult } from 'minisearch';
import { askedWords, stemOf, synonymsOf, wordsOf } from './search-words.ts';

/** A section of the documentation, as the search finds it. */
export interface Passage {
  readonly address: string;
  readonly page: string;
  /** Empty for the text above the first heading of a page. */
  readonly heading: string;
  readonly text: string;
  /** Multiplies its score: pages about internals count less. */
  readonly weight: number;
}

export interface Found {
  readonly passage: Passage;
  /** Words around the first match. */
  readonly excerpt: string;
}

export type Search = (query: string) => Found[];

const foundMax = 12;
const foundPerPageMax = 3;
const excerptCharacters = 110;
const beginningWeight = 1.6;
const partCharactersMin = 4;
const boost = { page: 4, heading: 5 };

/**
 * The search index. A word matches exactly, by its stem, as a prefix, with a typo, and by its synonyms. Passages that match
 * all words of a query come first, then those that match some.
 */
export function createSearch(passages: readonly Passage[]): Search {
  const vocabulary = new Set<string>();
  const index = new MiniSearch<Passage & { id: number }>({
    fields: ['page', 'heading', 'text'],
    tokenize: wordsOf,
    processTerm(word) {
      const stem = stemOf(word);
      vocabulary.add(word).add(stem);
      return stem === word ? word : [word, stem];
    },
    searchOptions: {
      boost,
      tokenize: (word) => [word],
      processTerm: (word) => word,
      boostDocument: (id) => weightOf(passages[id] as Passage),
    },
  });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  return (query) => {
    const queries = askedWords(query).map((word) => queryOf(word, vocabulary));
    if (queries.length === 0) return [];
    const all = index.search({ combineWith: 'AND', queries });
    const some =
      queries.length === 1 || all.length >= foundMax ? [] : index.search({ combineWith: 'OR', queries });
    return shown(passages, [...all, ...some]);
  };
}

function queryOf(word: string, vocabulary: ReadonlySet<string>): QueryCombination {
  const stem = stemOf(word);
  // An unknown word is probably a typo, so fuzzy matches count almost in full.
  const weights = isKnown(word, vocabulary) ? { fuzzy: 0.3, prefix: 0.5 } : { fuzzy: 0.9, prefix: 0.9 };
  return {
    combineWith: 'OR',
    queries: [
      {
        queries: [word],
        weights,
        prefix: word.length > 1,
        fuzzy: word.length > 3 ? 0.25 : false,
        maxFuzzy: 2,
      },
      ...(stem === word ? [] : [{ queries: [stem], boost: scaled(0.9) }]),
      ...synonymsOf(word).map((other) => ({ queries: [other, stemOf(other)], boost: scaled(0.7) })),
      ...splits(word, vocabulary),
    ],
  };
}

/** Two words typed as one: "ratelimt". Only for unknown words. */
function splits(word: string, vocabulary: ReadonlySet<string>): QueryCombination[] {
  if (isKnown(word, vocabulary)) return [];
  const parts: QueryCombination[] = [];
  for (let at = partCharactersMin; at <= word.length - partCharactersMin; at++) {
    const [left, right] = [word.slice(0, at), word.slice(at)];
    if (!vocabulary.has(left)) continue;
    parts.push({
      combineWith: 'AND',
      queries: [left, { queries: [right], prefix: true, fuzzy: 0.25 }],
      boost: scaled(0.8),
    });
  }
  return parts;
}

function isKnown(word: string, vocabulary: ReadonlySet<string>): boolean {
  return vocabulary.has(word) || vocabulary.has(stemOf(word));
}

function scaled(factor: number) {
  return { page: boost.page * factor, heading: boost.heading * factor, text: factor };
}

/** The text above the first heading describes the whole page. */
function weightOf({ heading, weight }: Passage): number {
  return heading === '' ? weight * beginningWeight : weight;
}

/** Lists each passage once, and a few per page, so that no page hides the others. */
function shown(passages: readonly Passage[], results: readonly SearchResult[]): Found[] {
  const perPage = new Map<string, number>();
  const found = new Map<number, Found>();
  for (const { id, terms } of results) {
    const passage = passages[id] as Passage;
    const count = perPage.get(passage.page) ?? 0;
    if (found.has(id) || count === foundPerPageMax) continue;
    perPage.set(passage.page, count + 1);
    found.set(id, { passage, excerpt: excerptOf(passage.text, terms) });
    if (found.size === foundMax) break;
  }
  return [...found.values()];
}

function excerptOf(text: string, words: readonly string[]): string {
  // Lower case keeps the length, so offsets are the same in both.
  const folded = text.toLowerCase();
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  const at = Math.max(0, Math.min(...places, text.length) - 30);
  const start = at === 0 || places.length === 0 ? 0 : text.indexOf(' ', at) + 1;
  const excerpt = text.slice(start, start + excerptCharacters);
  return `${start === 0 ? '' : '… '}${excerpt}${start + excerptCharacters < text.length ? ' …' : ''}`;
}
