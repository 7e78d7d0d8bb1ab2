/** From the headers of a request to its response, in milliseconds: the edges between the buckets, about twice as far each. */
const edges = [1, 2, 3, 5, 8, 13, 20, 35, 60, 100, 175, 300, 600, 1_500, 5_000] as const;

export const handlingBuckets = edges.length + 1;

export function noTimes(): number[] {
  return new Array<number>(handlingBuckets).fill(0);
}

/** An edge belongs to the longer times. */
export function handlingBucketOf(ms: number): number {
  let bucket = 0;
  while (bucket < edges.length && ms >= (edges[bucket] as number)) bucket++;
  return bucket;
}

export function sumOfTimes(all: readonly (readonly number[])[]): number[] {
  const sum = noTimes();
  for (const buckets of all) for (const [at, count] of buckets.entries()) sum[at] = (sum[at] ?? 0) + count;
  return sum;
}

/**
 * About how long that share of all requests took at most, as if the times of each bucket were spread evenly. Null of none.
 * The last bucket has no end, so it counts as its beginning.
 */
export function handlingQuantile(buckets: readonly number[], share: number): number | null {
  const wanted = share * buckets.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return null;
  let before = 0;
  for (const [at, count] of buckets.entries()) {
    if (before + count >= wanted) {
      const from = edges[at - 1] ?? 0;
      const to = edges[at] ?? from;
      return from + ((wanted - before) / count) * (to - from);
    }
    before += count;
  }
  return edges.at(-1) ?? null;
}
