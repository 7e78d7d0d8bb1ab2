/** How far signed times are from ours, in seconds: the edges between the buckets, on both sides of zero. */
const edges = [5, 15, 30, 60, 120, 180, 240, 300] as const;

/** The bucket of times that agree. Before it are those of clocks that are ahead of ours, after it those of late requests. */
const middle = edges.length;
export const driftBuckets = 2 * edges.length + 1;

export type DriftSide = 'ahead' | 'late';

export function noDrifts(): number[] {
  return new Array<number>(driftBuckets).fill(0);
}

/** An edge belongs to the bucket that is further from zero. */
export function bucketOf(seconds: number): number {
  const size = Math.abs(seconds);
  let steps = 0;
  while (steps < edges.length && size >= (edges[steps] as number)) steps++;
  return seconds < 0 ? middle - steps : middle + steps;
}

/** The edges of a bucket. The outermost ones have no outer edge: they count as their inner one. */
export function rangeOf(bucket: number): readonly [from: number, to: number] {
  const steps = Math.abs(bucket - middle);
  if (steps === 0) return [-edges[0], edges[0]];
  const [inner, outer] = rangeOfSize(steps);
  return bucket < middle ? [-outer, -inner] : [inner, outer];
}

/** The buckets of one side, from the middle outwards. */
export function sideOf(buckets: readonly number[], side: DriftSide): number[] {
  return side === 'late' ? buckets.slice(middle) : buckets.slice(0, middle + 1).toReversed();
}

/** The requests by how far they are off, whatever the side. */
export function sizesOf(buckets: readonly number[]): number[] {
  const ahead = sideOf(buckets, 'ahead');
  return sideOf(buckets, 'late').map((late, steps) => (steps === 0 ? late : late + (ahead[steps] ?? 0)));
}

export function rangeOfSize(steps: number): readonly [from: number, to: number] {
  const inner = edges[steps - 1] ?? 0;
  return [inner, edges[steps] ?? inner];
}

export function sumOfDrifts(all: readonly (readonly number[])[]): number[] {
  const sum = noDrifts();
  for (const buckets of all) for (const [at, count] of buckets.entries()) sum[at] = (sum[at] ?? 0) + count;
  return sum;
}

/** The buckets of requests that are at least that far off, which is one of the edges. */
export function farBuckets(seconds: number): number[] {
  const buckets = Array.from({ length: driftBuckets }, (_, bucket) => bucket);
  return buckets.filter((bucket) => Math.abs(bucket - middle) >= bucketOf(seconds) - middle);
}
