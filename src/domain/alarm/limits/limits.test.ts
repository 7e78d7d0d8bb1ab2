import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../time/clock.ts';
import { expiryLevel, isStillUsed } from './expiry-level.ts';
import { limitLevel, toldFrom } from './limit-level.ts';

const now = new Date('2026-11-16T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

test.each([
  [799, null],
  [800, 80],
  [949, 80],
  [950, 95],
  [999, 95],
  [1_000, 100],
])('%i of 1,000 is level %s', (used, level) => {
  expect(limitLevel(used, 1_000)).toBe(level);
  expect(used >= toldFrom(1_000)).toBe(level !== null);
});

test.each([
  [14 * dayMs + 1, null],
  [14 * dayMs, 14],
  [3 * dayMs, 3],
  [dayMs, 1],
  [1, 1],
  [0, null],
])('what ends in %i ms is told as %s days', (ms, level) => {
  expect(expiryLevel({ createdAt: later(-90 * dayMs), expiresAt: later(ms) }, now)).toBe(level);
});

test('nobody is told in the first half of the life of a token', () => {
  const levelAt = (days: number) =>
    expiryLevel({ createdAt: now, expiresAt: later(7 * dayMs) }, later(days * dayMs));
  expect([0, 3, 4, 6].map(levelAt)).toEqual([null, null, 3, 1]);
});

test('a token is used if it was in 30 days, or since it was replaced and within a day', () => {
  expect(isStillUsed({ lastUsedAt: null, replacedAt: null, isTold: false }, now)).toBe(false);
  expect(isStillUsed({ lastUsedAt: later(-30 * dayMs), replacedAt: null, isTold: false }, now)).toBe(true);
  expect(isStillUsed({ lastUsedAt: later(-30 * dayMs - 1), replacedAt: null, isTold: false }, now)).toBe(
    false,
  );
  expect(
    isStillUsed({ lastUsedAt: later(-hourMs), replacedAt: later(-2 * hourMs), isTold: false }, now),
  ).toBe(true);
  expect(
    isStillUsed({ lastUsedAt: later(-hourMs), replacedAt: later(-hourMs / 2), isTold: false }, now),
  ).toBe(false);
  const onceADay = { lastUsedAt: later(-25 * hourMs), replacedAt: later(-48 * hourMs), isTold: false };
  expect(isStillUsed(onceADay, now)).toBe(false);
  expect(isStillUsed({ ...onceADay, isTold: true }, now)).toBe(true);
  expect(isStillUsed({ ...onceADay, isTold: true }, later(2 * dayMs))).toBe(false);
});
