import { describe, expect, test } from 'vitest';
import { driftOf } from './drift.ts';
import { bucketOf, driftBuckets, noDrifts, rangeOf, sumOfDrifts } from './drift-buckets.ts';

function drifts(...seconds: number[]): number[] {
  const buckets = noDrifts();
  for (const drift of seconds) buckets[bucketOf(drift)] = (buckets[bucketOf(drift)] ?? 0) + 1;
  return buckets;
}

const times = (count: number, seconds: number) => new Array<number>(count).fill(seconds);

describe('each drift is in the bucket whose edges it lies between', () => {
  test.each([
    ...[
      [0, 8],
      [4, 8],
      [-4, 8],
      [5, 9],
      [-5, 7],
      [14, 9],
      [15, 10],
      [30, 11],
      [60, 12],
      [119, 12],
    ],
    ...[
      [120, 13],
      [180, 14],
      [-180, 2],
      [239, 14],
      [240, 15],
      [299, 15],
      [300, 16],
      [-300, 0],
    ],
    ...[
      [1e9, 16],
      [-1e9, 0],
    ],
  ])('%d s is in bucket %d', (seconds, bucket) => {
    expect(bucketOf(seconds)).toBe(bucket);
  });

  test('the buckets follow each other without a gap', () => {
    for (let bucket = 1; bucket < driftBuckets - 1; bucket++)
      expect(rangeOf(bucket)[1]).toBe(rangeOf(bucket + 1)[0]);
    expect(rangeOf(8)).toEqual([-5, 5]);
    expect(rangeOf(0)).toEqual([-300, -300]);
    expect(rangeOf(driftBuckets - 1)).toEqual([300, 300]);
  });
});

test('without requests nothing is known', () => {
  expect(driftOf(noDrifts())).toBeNull();
});

test('a clock that agrees is ok', () => {
  expect(driftOf(drifts(...times(20, 0)))).toEqual({
    requests: 20,
    medianSeconds: 0,
    p95Seconds: 4.75,
    shape: 'ok',
  });
});

test('the percentiles lie between the edges of their bucket, as if its requests were spread evenly', () => {
  const drift = driftOf(drifts(...times(50, 0), ...times(45, 20), ...times(5, 200)));
  expect(drift?.medianSeconds).toBe(5);
  expect(drift?.p95Seconds).toBe(30);
});

test('a clock that is slow is told from a queue that repeats old requests', () => {
  expect(driftOf(drifts(...times(40, 200)))).toMatchObject({ shape: 'clock', p95Seconds: 237 });
  expect(driftOf(drifts(...times(40, 1000)))).toMatchObject({ shape: 'clock', p95Seconds: 300 });
  expect(driftOf(drifts(...times(34, 1), ...times(6, 1000)))).toMatchObject({
    shape: 'queue',
    p95Seconds: 300,
  });
  const spread = Array.from({ length: 300 }, (_, seconds) => seconds);
  expect(driftOf(drifts(...spread))?.shape).toBe('queue');
});

test('a clock that is ahead has a negative drift, and is never taken for a queue', () => {
  expect(driftOf(drifts(...times(40, -200)))).toEqual({
    requests: 40,
    medianSeconds: -210,
    p95Seconds: -237,
    shape: 'clock',
  });
  expect(driftOf(drifts(...times(36, 0), ...times(4, -400)))).toMatchObject({
    shape: 'clock',
    p95Seconds: -300,
  });
});

test('the side with more of the requests that are far off decides the sign', () => {
  expect(driftOf(drifts(...times(10, 0), ...times(2, -250), ...times(3, 250)))?.p95Seconds).toBeGreaterThan(
    0,
  );
  expect(driftOf(drifts(...times(10, 0), ...times(3, -250), ...times(2, 250)))?.p95Seconds).toBeLessThan(0);
});

test('buckets are added one by one', () => {
  expect(sumOfDrifts([drifts(0, 20), drifts(20, -400)])).toEqual(drifts(0, 20, 20, -400));
});
