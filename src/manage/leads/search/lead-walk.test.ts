import { expect, test } from 'vitest';
import { growthAfter } from './lead-walk.ts';

test('a stretch that was quick is followed by a larger one, up to eight times, and one that was slow by a smaller one', () => {
  expect([0, 1, 2, 5, 15, 30, 150].map(growthAfter)).toEqual([8, 8, 7.5, 3, 1, 0.5, 0.1]);
});
