import { expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../time/clock.ts';
import { EntryCap } from './entry-cap.ts';

/** How many of so many rejections of one reason become entries. */
function taken(cap: EntryCap, count: number, isProven: boolean, at: number, workspaceId = 'one'): number {
  const limits = Array.from({ length: count }, () => cap.take(workspaceId, 'reason', isProven, at));
  return limits.filter((limit) => limit !== null).length;
}

test('a workspace has 20,000 entries a UTC day, then 20 per reason and minute', () => {
  const cap = new EntryCap();
  expect(taken(cap, 30_000, true, 0)).toBe(20_020);
  expect(taken(cap, 100, true, minuteMs)).toBe(20);
  expect(taken(cap, 30_000, true, 0, 'another')).toBe(20_020);
  expect(taken(cap, 30_000, true, dayMs)).toBe(20_020);
});

test('requests without proof of their sender take half of the entries, and none from those with proof', () => {
  const cap = new EntryCap();
  expect(taken(cap, 30_000, false, 0)).toBe(10_020);
  expect(taken(cap, 10_000, true, 0)).toBe(10_000);
});

test('a request that arrived before midnight does not give its workspace another 20,000', () => {
  const cap = new EntryCap();
  taken(cap, 30_000, true, dayMs);
  expect(taken(cap, 100, true, dayMs - 1)).toBe(20);
  expect(taken(cap, 100, true, dayMs + minuteMs)).toBe(20);
});
