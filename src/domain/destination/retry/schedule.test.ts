import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../time/clock.ts';
import { type AttemptOutcome, afterAttempt, meaningOf, triesMax, tryDelaysMs } from './schedule.ts';

const now = new Date('2026-11-16T08:00:00Z');
const failure: AttemptOutcome = { meaning: 'failed' };

function delayAfter(attempts: number, outcome = failure, fraction = 0.5): number | string {
  const decision = afterAttempt(attempts, outcome, { now, fraction });
  return decision.next === 'retry' ? decision.at.getTime() - now.getTime() : decision.next;
}

test('a delivery is tried ten times in 75.6 hours, then it is dead', () => {
  const delays = Array.from({ length: triesMax }, (_, i) => delayAfter(i + 1));
  expect(delays).toEqual([
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
    'dead',
  ]);
  expect(tryDelaysMs.reduce((sum: number, ms) => sum + ms, 0) / hourMs).toBeCloseTo(75.6, 1);
});

test('each delay is spread by up to a tenth', () => {
  expect(delayAfter(2, failure, 0)).toBe(4.5 * minuteMs);
  expect(delayAfter(2, failure, 0.999_999_999)).toBe(5.5 * minuteMs);
});

test.each([
  [200, 'delivered'],
  [202, 'delivered'],
  [299, 'delivered'],
  [410, 'gone'],
] as const)('%d is %s on every try', (status, next) => {
  for (let attempts = 1; attempts <= triesMax; attempts++)
    expect(delayAfter(attempts, { meaning: meaningOf(status) })).toBe(next);
});

test.each([null, 100, 199, 301, 302, 304, 400, 401, 404, 408, 409, 425, 429, 500, 502, 503, 504, 599])(
  '%s is retried, and dead after the last try',
  (status) => {
    expect(delayAfter(1, { meaning: meaningOf(status) })).toBe(5 * secondMs);
    expect(delayAfter(10, { meaning: meaningOf(status) })).toBe('dead');
  },
);

test.each([
  [null, 'failed'],
  [101, 'failed'],
  [500, 'failed'],
  [301, 'redirected'],
  [404, 'refused'],
  [429, 'throttled'],
  [409, 'throttled'],
  [504, 'throttled'],
] as const)('%s is shown as %s', (status, meaning) => {
  expect(meaningOf(status)).toBe(meaning);
});

test('Retry-After delays a try, by a day at most, and never makes it earlier', () => {
  const asked = (retryAfterMs: number | null) => delayAfter(2, { meaning: 'throttled', retryAfterMs });
  expect(asked(hourMs)).toBe(hourMs);
  expect(asked(3650 * dayMs)).toBe(dayMs);
  expect(asked(Number.POSITIVE_INFINITY)).toBe(dayMs);
  expect(asked(0)).toBe(5 * minuteMs);
  expect(asked(-hourMs)).toBe(5 * minuteMs);
  expect(asked(null)).toBe(5 * minuteMs);
  expect(delayAfter(10, { meaning: 'throttled', retryAfterMs: 1 })).toBe('dead');
});
