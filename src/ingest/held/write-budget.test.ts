import { expect, test } from 'vitest';
import { WriteBudget } from './write-budget.ts';

test('many are written at once, then some hundreds a second, and fewer of large ones', () => {
  let now = 0;
  const budget = new WriteBudget({ monotonic: () => now });
  const taken = (size: number) => {
    let count = 0;
    while (budget.take([{ size }])) count++;
    return count;
  };
  expect(taken(512)).toBeGreaterThan(1_500);
  now += 1_000;
  const small = taken(512);
  expect(small).toBeGreaterThan(400);
  expect(small).toBeLessThan(500);
  now += 1_000;
  expect(taken(128 * 1024)).toBe(16);
});
