import { expect, test } from 'vitest';
import { deliveryId, firstDeliveryId } from './delivery-id.ts';

const at = new Date('2026-11-15T08:00:00.123Z');
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the IDs of deliveries are unique, and sort by the time that they are given', () => {
  const ids = Array.from({ length: 100 }, () => deliveryId(at));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(shape);
  const [before, after] = [-1, 1].map((ms) => deliveryId(new Date(at.getTime() + ms))) as [string, string];
  for (const id of ids) expect([before, id, after].toSorted()).toEqual([before, id, after]);
});

test('the first ID of a time is between those before and those of that time', () => {
  const first = firstDeliveryId(at);
  expect(first <= deliveryId(at)).toBe(true);
  expect(deliveryId(new Date(at.getTime() - 1)) < first).toBe(true);
});
