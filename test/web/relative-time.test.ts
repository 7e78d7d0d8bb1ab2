import { expect, test } from 'vitest';
import { ago, until } from '../../web/parts/text/relative-time.ts';

const now = Date.parse('2026-11-15T08:00:00Z');
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, 'just now'],
  [4 * second, 'just now'],
  [5 * second, '5 sec ago'],
  [59.6 * second, '1 min ago'],
  [89 * second, '1 min ago'],
  [59.6 * minute, '1 hr ago'],
  [23.7 * hour, '1 day ago'],
  [30 * hour, '1 day ago'],
  [400 * day, '400 days ago'],
])('what happened %i ms ago is %s', (ms, text) => {
  expect(ago(now - ms, now)).toBe(text);
});

test.each([
  [0, 'now'],
  [2 * second, 'in 2 sec'],
  [3_599.9 * second, 'in 1 hr'],
  [day, 'in 1 day'],
  [7 * day, 'in 7 days'],
])('what happens in %i ms happens %s', (ms, text) => {
  expect(until(now + ms, now)).toBe(text);
});

test('if this clock is slow, the past is not in the future; if it is fast, what is due is due now', () => {
  expect(ago(now + 2 * second, now)).toBe('just now');
  expect(ago(now + hour, now)).toBe('just now');
  expect(until(now - hour, now)).toBe('now');
});
