import { TextScan } from '../../../src/domain/score/reading/scan.ts';

interface Text {
  readonly text: string;
  /** Texts with the same group belong together without looking. */
  readonly group: string | null;
}

const shingleWords = 4;
const minimaCount = 24;
const rowsPerBand = 2;
/** From this share of common shingles on, two texts are near duplicates. */
const similarFrom = 0.3;

/**
 * A number for each text, the same for near duplicates: texts that share many runs of four words. Candidates are found
 * by the smallest hashes of their runs, then compared.
 */
export function clustersOf(texts: readonly Text[]): number[] {
  const parents = texts.map((_, place) => place);
  const shingles = texts.map(({ text }) => shinglesOf(text));
  const buckets = new Map<string, number>();
  for (const [place, { group }] of texts.entries()) {
    if (group !== null) joinBucket(`group ${group}`, place, buckets, parents, () => true);
    const own = shingles[place] as ReadonlySet<number>;
    if (own.size === 0) continue;
    for (const band of bandsOf(own)) {
      joinBucket(band, place, buckets, parents, (other) =>
        isSimilar(own, shingles[other] as ReadonlySet<number>),
      );
    }
  }
  return texts.map((_, place) => rootOf(place, parents));
}

function joinBucket(
  key: string,
  place: number,
  buckets: Map<string, number>,
  parents: number[],
  isSame: (other: number) => boolean,
): void {
  const other = buckets.get(key);
  if (other === undefined) buckets.set(key, place);
  else if (isSame(other)) parents[rootOf(place, parents)] = rootOf(other, parents);
}

function rootOf(place: number, parents: number[]): number {
  let root = place;
  while (parents[root] !== root) root = parents[root] as number;
  parents[place] = root;
  return root;
}

const scan = new TextScan();

export function shinglesOf(text: string): ReadonlySet<number> {
  scan.scan(text);
  const shingles = new Set<number>();
  for (let word = 0; word + shingleWords <= scan.wordCount; word++) {
    let hash = 0;
    for (let next = word; next < word + shingleWords; next++) {
      hash = Math.imul(hash ^ (scan.wordHashes[next] as number), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    shingles.add(hash);
  }
  return shingles;
}

function bandsOf(shingles: ReadonlySet<number>): string[] {
  const minima = Array.from({ length: minimaCount }, (_, turn) => {
    let least = 0xffffffff;
    for (const shingle of shingles) {
      const mixed = Math.imul(shingle ^ Math.imul(turn + 1, 0x85ebca6b), 0xc2b2ae35);
      least = Math.min(least, (mixed ^ (mixed >>> 16)) >>> 0);
    }
    return least;
  });
  return Array.from(
    { length: minimaCount / rowsPerBand },
    (_, band) => `${band}:${minima.slice(band * rowsPerBand, (band + 1) * rowsPerBand).join(',')}`,
  );
}

function isSimilar(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  const common = a.intersection(b).size;
  return common / (a.size + b.size - common) >= similarFrom;
}
