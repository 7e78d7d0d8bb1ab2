import { expect, test } from 'vitest';
import { levelsOf } from '../../../web/parts/charts/levels.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [330, [0, 100, 200, 300, 400]],
  [1_000_000, [0, 500_000, 1_000_000]],
])('a chart whose highest bar is %d has lines at %j', (highest, levels) => {
  expect(levelsOf(highest)).toEqual(levels);
});
