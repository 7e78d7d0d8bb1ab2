import { rangeOf, rangeOfSize, sideOf, sizesOf } from './drift-buckets.ts';

/** `clock`: all requests are off alike. `queue`: some are much later than the others. */
type DriftShape = 'ok' | 'clock' | 'queue';

/** How far the signed times of some requests are from ours. Positive if they are before ours. */
export interface Drift {
  readonly requests: number;
  readonly medianSeconds: number;
  /** 95 % of the requests stay within it. It has the sign of the side that is further off. */
  readonly p95Seconds: number;
  readonly shape: DriftShape;
}

/** An alarm opens when the 95th percentile reaches `medium`, and is high from `high` on. At 300 seconds requests are rejected. */
export const driftAlarmSeconds = { medium: 180, high: 240 } as const;

/** Below it, retries and slow networks explain the difference. */
const okSecondsMax = 60;
/** If nearly all requests are off by at least this part of the largest difference, the clock is wrong. */
const alike = 0.5;

/** Null without requests. */
export function driftOf(buckets: readonly number[]): Drift | null {
  const requests = sum(buckets);
  if (requests === 0) return null;
  const sizes = sizesOf(buckets);
  const { at, part } = placeOf(sizes, 0.95);
  const size = between(rangeOfSize(at), part);
  // The side that more of the requests are on that are this far off, or further.
  const isAhead = at > 0 && sum(sideOf(buckets, 'ahead').slice(at)) > sum(sideOf(buckets, 'late').slice(at));
  const p95Seconds = isAhead ? -size : size;
  const medianSeconds = percentile(buckets, 0.5);
  return { requests, medianSeconds, p95Seconds, shape: shapeOf(buckets, p95Seconds) };
}

function shapeOf(buckets: readonly number[], p95Seconds: number): DriftShape {
  if (Math.abs(p95Seconds) < okSecondsMax) return 'ok';
  // No queue delivers a request before it was signed.
  if (p95Seconds < 0) return 'clock';
  return percentile(buckets, 0.1) >= alike * p95Seconds ? 'clock' : 'queue';
}

function percentile(buckets: readonly number[], fraction: number): number {
  const { at, part } = placeOf(buckets, fraction);
  return between(rangeOf(at), part);
}

/** The bucket in which that fraction of all requests is reached, and how much of it is needed. */
function placeOf(
  counts: readonly number[],
  fraction: number,
): { readonly at: number; readonly part: number } {
  let left = fraction * sum(counts);
  for (const [at, count] of counts.entries()) {
    if (count > 0 && left <= count) return { at, part: left / count };
    left -= count;
  }
  throw new Error('there are no requests');
}

/** As if the requests of a bucket were spread evenly over it. */
function between([from, to]: readonly [number, number], part: number): number {
  return from + (to - from) * part;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
