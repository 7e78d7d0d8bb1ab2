import { expect, test } from 'vitest';
import { binomialTail } from './statistics.ts';

/** With whole numbers of any size: `probability` is numerator ÷ denominator. */
function exactTail(hits: number, trials: number, numerator: bigint, denominator: bigint): number {
  let ways = 1n;
  let sum = 0n;
  for (let at = 0; at <= trials; at++) {
    if (at > 0) ways = (ways * BigInt(trials - at + 1)) / BigInt(at);
    if (at >= hits) sum += ways * numerator ** BigInt(at) * (denominator - numerator) ** BigInt(trials - at);
  }
  const digits = 10n ** 60n;
  return Number((sum * digits) / denominator ** BigInt(trials)) / 1e60;
}

test.each([
  ...[
    [1, 20, 1n, 100n],
    [12, 20, 1n, 20n],
    [20, 20, 1n, 2n],
    [10, 20, 1n, 2n],
    [3, 20, 1n, 2n],
  ],
  ...[
    [40, 200, 1n, 20n],
    [60, 500, 1n, 25n],
    [500, 1000, 1n, 2n],
    [30, 1000, 1n, 200n],
    [499, 1000, 999n, 1000n],
  ],
] as [number, number, bigint, bigint][])(
  'the binomial tail of %d in %d is exact to ten digits',
  (hits, trials, numerator, denominator) => {
    const exact = exactTail(hits, trials, numerator, denominator);
    const tail = binomialTail(hits, trials, Number(numerator) / Number(denominator));
    expect(Math.abs(tail / exact - 1)).toBeLessThan(1e-10);
  },
);

test('the binomial tail has its limits', () => {
  expect(binomialTail(0, 10, 0.3)).toBe(1);
  expect(binomialTail(11, 10, 0.3)).toBe(0);
  expect(binomialTail(1, 10, 0)).toBe(0);
  expect(binomialTail(10, 10, 1)).toBe(1);
  expect(binomialTail(10, 10, 0.5)).toBeCloseTo(0.5 ** 10, 12);
});

test('the binomial tail of many leads is neither lost nor slow', () => {
  expect(binomialTail(100_000, 1_000_000, 0.5)).toBe(1);
  expect(binomialTail(500_000, 1_000_000, 0.5)).toBeCloseTo(0.5 + 0.5 * 0.000798, 5);
  expect(binomialTail(900_000, 1_000_000, 0.5)).toBe(0);
});
