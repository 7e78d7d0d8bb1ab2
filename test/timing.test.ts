import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorKey } from '../bench/seed.ts';
import { pairs } from '../chaos/timing/pairs.ts';
import { takeSamples } from '../chaos/timing/samples.ts';
import { rankTest } from '../chaos/timing/statistics.ts';
import { startTestService, type TestService } from './support/service.ts';

/** Compares only bytes. `npm run timing` measures times, on an otherwise idle machine. */
const samples = 3;
const seed = 1;
let service: TestService;
let port: number;

beforeAll(async () => {
  service = await startTestService({ env: { OPERATOR_KEY: operatorKey } });
  port = Number(new URL(service.url).port);
});
afterAll(() => service.stop());

test('requests that an outsider must not be able to distinguish get the same bytes', async () => {
  for (const makePair of pairs) {
    const pair = await makePair(port);
    const [first, second] = pair.requests();
    expect(first, pair.name).not.toBe(second);
    expect(first.length, pair.name).toBe(second.length);
    const { micros, answers } = await takeSamples(port, pair, samples, seed);
    expect(new Set([...answers[0], ...answers[1]]).size, pair.name).toBe(1);
    for (const taken of micros) expect(taken.length, pair.name).toBeGreaterThanOrEqual(samples);
  }
});

describe('the rank test', () => {
  test('returns how far two kinds are apart, in standard deviations', () => {
    expect(rankTest([1, 2, 3], [4, 5, 6])).toBeCloseTo(-1.964, 3);
    expect(rankTest([4, 5, 6], [1, 2, 3])).toBeCloseTo(1.964, 3);
  });

  test('gives equal values the same rank', () => {
    expect(rankTest([1, 1, 2], [1, 2, 2])).toBeCloseTo(-0.745, 3);
    expect(rankTest([7, 7], [7, 7, 7])).toBe(0);
  });

  test('detects a small shift that noisy medians do not show', () => {
    const noise = Array.from({ length: 2_000 }, (_, number) => (number * 7_919) % 1_000);
    expect(Math.abs(rankTest(noise, noise))).toBeLessThan(1);
    expect(
      rankTest(
        noise,
        noise.map((value) => value + 100),
      ),
    ).toBeLessThan(-3.9);
  });
});
