import MiniSearch, { type QueryCombination, type SearchResult } from 'minisearch';
import { askedWords, stemOf, synonymsOf, wordsOf } from './search-words.ts';

/** A part of the documentation that the search can find. */
export interface Passage {
  readonly address: string;
  readonly page: string;
  /** Empty for what stands above the first heading of a page. */
  readonly heading: string;
  readonly text: string;
  /** How much it counts beside others: pages about the inside of Leadgate count less. */
  readonly weight: number;
}

export interface Found {
  readonly passage: Passage;
  /** Some words around the first hit. */
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
 * The index of the documentation. A word is found as it is, as another form of it, as the beginning of a word, with a slip in
 * it, and by the words that the pages use instead. Passages with all words of a query come first, then those with some.
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
  // A word that is nowhere has a slip in it, and what it was meant to be counts in full.
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

/** What was typed as one word but is two: "ratelimt". Only where nothing is called so. */
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

/** What stands above the first heading is about the whole page. */
function weightOf({ heading, weight }: Passage): number {
  return heading === '' ? weight * beginningWeight : weight;
}

/** Each passage once, and no page so often that it hides the others. */
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
  // Lengths stay as they are, so that places in the one are places in the other.
  const folded = text.toLowerCase();
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
  const at = Math.max(0, Math.min(...places, text.length) - 30);
  const start = at === 0 || places.length === 0 ? 0 : text.indexOf(' ', at) + 1;
  const excerpt = text.slice(start, start + excerptCharacters);
  return `${start === 0 ? '' : '… '}${excerpt}${start + excerptCharacters < text.length ? ' …' : ''}`;
}
