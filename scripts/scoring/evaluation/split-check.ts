import type { CorpusText } from '../corpus/corpus.ts';
import { shinglesOf } from '../corpus/near-duplicates.ts';

/** How much of what a source says word for word is left in the texts of the others when the source is left out. */
export interface Leak {
  readonly source: string;
  readonly texts: number;
  /** The part of the source's runs of four words that another source has as well. */
  readonly runsElsewhere: number;
  /** The part of its texts of which most runs are elsewhere: near duplicates that the clusters have missed. */
  readonly textsElsewhere: number;
}

const mostRuns = 0.5;

/** Checks the split by sources without its own means: it compares runs of words, not clusters. */
export function leaksOf(texts: readonly CorpusText[]): Leak[] {
  const sources = [...new Set(texts.map(({ source }) => source))];
  const bitOf = new Map(sources.map((source, place) => [source, 1 << place]));
  const removed = clustersOfSeveral(texts);
  const shingles = texts.map(({ text }) => shinglesOf(text));
  const owners = new Map<number, number>();
  for (const [place, { source, cluster }] of texts.entries()) {
    // Leaving out any of its sources removes all of such a cluster.
    if (removed.has(cluster)) continue;
    for (const shingle of shingles[place] as ReadonlySet<number>) {
      owners.set(shingle, (owners.get(shingle) ?? 0) | (bitOf.get(source) as number));
    }
  }
  return sources.map((source) => {
    const others = ~(bitOf.get(source) as number);
    const own = shingles.filter((runs, place) => texts[place]?.source === source && runs.size > 0);
    const found = own.map((runs) => {
      return [...runs].filter((shingle) => ((owners.get(shingle) ?? 0) & others) !== 0).length;
    });
    const runCount = own.reduce((sum, { size }) => sum + size, 0);
    const most = found.filter((count, place) => count > mostRuns * (own[place] as ReadonlySet<number>).size);
    return {
      source,
      texts: own.length,
      runsElsewhere: found.reduce((sum, count) => sum + count, 0) / Math.max(1, runCount),
      textsElsewhere: most.length / Math.max(1, own.length),
    };
  });
}

function clustersOfSeveral(texts: readonly CorpusText[]): ReadonlySet<number> {
  const first = new Map<number, string>();
  const several = new Set<number>();
  for (const { cluster, source } of texts) {
    if ((first.get(cluster) ?? source) !== source) several.add(cluster);
    else first.set(cluster, source);
  }
  return several;
}
