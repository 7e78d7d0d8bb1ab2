import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusteredShare, wilson } from '../../scripts/scoring/evaluation/clustered-share.ts';

const hits = (cluster: number, hit: number, missed: number) => [
  ...Array.from({ length: hit }, () => ({ cluster, isHit: true })),
  ...Array.from({ length: missed }, () => ({ cluster, isHit: false })),
];

test("an interval is Wilson's: 8 of 10, 0 of 10 and all of 100 as in published tables", () => {
  expect(wilson(0.8, 10).low).toBeCloseTo(0.4902, 4);
  expect(wilson(0.8, 10).high).toBeCloseTo(0.9433, 4);
  expect(wilson(0, 10).low).toBe(0);
  expect(wilson(0, 10).high).toBeCloseTo(0.2775, 4);
  expect(wilson(1, 100).low).toBeCloseTo(0.963, 4);
  expect(wilson(1, 100).high).toBe(1);
});

test('more expansions of the same templates neither move nor narrow an estimate', () => {
  const once = clusteredShare([...hits(1, 1, 0), ...hits(2, 0, 1), ...hits(3, 1, 1)]);
  const often = clusteredShare([...hits(1, 500, 0), ...hits(2, 0, 3), ...hits(3, 40, 40)]);
  expect(once.share).toBe(0.5);
  expect({ ...often, items: 0 }).toEqual({ ...once, items: 0 });
  expect(often.items).toBe(583);
  expect(often.clusters).toBe(3);
});

test('an estimate is inside its interval, and the interval inside 0 to 1', () => {
  const item = fc.record({ cluster: fc.integer({ min: 0, max: 30 }), isHit: fc.boolean() });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (items) => {
      const { share, low, high } = clusteredShare(items);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(share + 1e-9);
      expect(high).toBeGreaterThanOrEqual(share - 1e-9);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});

test('nothing measured is nothing known: the interval is from 0 to 1', () => {
  expect(clusteredShare([])).toEqual({ share: 0, low: 0, high: 1, clusters: 0, items: 0 });
});
