import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  handlingBucketOf,
  handlingBuckets,
  handlingQuantile,
  noTimes,
  sumOfTimes,
} from './handling-times.ts';

function bucketsOf(times: readonly number[]): number[] {
  const buckets = noTimes();
  for (const ms of times) (buckets[handlingBucketOf(ms)] as number)++;
  return buckets;
}

test('a share of the requests is at most a bucket away from its real time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 4_999 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (all, share) => {
      const real = all.toSorted((a, b) => a - b)[Math.ceil(share * all.length) - 1] as number;
      const about = handlingQuantile(bucketsOf(all), share) as number;
      expect(Math.abs(handlingBucketOf(about) - handlingBucketOf(real))).toBeLessThanOrEqual(1);
    }),
  );
});

test('times of several minutes and instances are merged before a share is taken', () => {
  const quick = bucketsOf(Array.from({ length: 90 }, () => 1));
  const slow = bucketsOf(Array.from({ length: 10 }, () => 400));
  expect(handlingQuantile(quick, 0.95)).toBeLessThan(2);
  expect(handlingQuantile(sumOfTimes([quick, slow]), 0.95)).toBe(450);
});

test('there is no time of no request, and longer than the last edge is at least the last edge', () => {
  expect(handlingQuantile(noTimes(), 0.5)).toBeNull();
  expect(handlingQuantile(bucketsOf([60_000]), 0.5)).toBe(5_000);
  expect(handlingBucketOf(60_000)).toBe(handlingBuckets - 1);
});
