import { describe, expect, test } from 'vitest';
import { negativeBinomialTail } from './negative-binomial.ts';

/** The plain sum of what is not in the tail. */
function bySum(count: number, mean: number): number {
  const p = mean / (mean + 2);
  let below = 0;
  for (let n = 0; n < count; n++) below += (n + 1) * p ** n * (1 - p) ** 2;
  return 1 - below;
}

describe('the tail of the negative binomial distribution', () => {
  // As `pnbinom(count - 1, size = 2, mu = mean, lower.tail = FALSE)` in R.
  test.each([
    [1, 2, 0.75],
    [5, 2, 0.109375],
    [3, 0.5, 0.0272],
    [10, 10, 0.430_681_554],
  ])('P(X ≥ %i) with mean %d is %d', (count, mean, probability) => {
    expect(negativeBinomialTail(count, mean)).toBeCloseTo(probability, 8);
  });

  test.each([1, 2, 5, 20, 100])('P(X ≥ %i) is one minus the sum of what is below', (count) => {
    for (const mean of [0.1, 1, 7, 60]) {
      expect(negativeBinomialTail(count, mean)).toBeCloseTo(bySum(count, mean), 12);
    }
  });

  test('it stays exact where a sum would have no digits left', () => {
    expect(negativeBinomialTail(5, 0.006)).toBeCloseTo(6 * (0.006 / 2.006) ** 5, 14);
    expect(negativeBinomialTail(5, 0.006) / (6 * (0.006 / 2.006) ** 5)).toBeCloseTo(1, 2);
    expect(negativeBinomialTail(1_200_000, 1)).toBe(0);
    expect(negativeBinomialTail(1_000, 1e9)).toBeGreaterThan(0.999_999);
  });

  test('nothing is certain, and something is impossible where nothing ever happens', () => {
    expect(negativeBinomialTail(0, 3)).toBe(1);
    expect(negativeBinomialTail(1, 0)).toBe(0);
  });
});
