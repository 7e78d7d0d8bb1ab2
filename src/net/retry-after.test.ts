import { expect, test } from 'vitest';
import { dayMs } from '../time/clock.ts';
import { retryAfterMs } from './retry-after.ts';

const now = new Date('2026-11-15T08:00:00Z');

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Sun, 15 Nov 2026 08:01:00 GMT', 60_000],
  ['Sunday, 15-Nov-26 08:01:00 GMT', 60_000],
  ['Sun Nov 15 08:01:00 2026', 60_000],
  ['Sun, 15 Nov 2026 07:00:00 GMT', null],
  ['Sun, 15 Nov 2026 08:00:00 GMT', null],
  // Ten years.
  ['315360000', dayMs],
  ['Sat, 15 Nov 2036 08:00:00 GMT', dayMs],
  ['9'.repeat(400), dayMs],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['soon', null],
  ['call 2099', null],
  ['Sun, 99 Nov 2099 08:00:00 GMT', null],
  ['2099-01-01T00:00:00Z', null],
  ['', null],
  [undefined, null],
])('a Retry-After of %j is a wait of %j ms, at most a day', (header, ms) => {
  expect(retryAfterMs(header, now, dayMs)).toBe(ms);
});

test('enrichment waits for six hours at most', () => {
  expect(retryAfterMs('999999999', now)).toBe(21_600_000);
});
