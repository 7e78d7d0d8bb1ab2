import { describe, expect, test } from 'vitest';
import { isSpike, isSpikeOver, isStillSpike, mayBeSpike, spikeHour, usualRejected } from './reject-spike.ts';

const now = new Date('2026-11-16T12:04:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

describe('a spike', () => {
  test.each([
    [4, 0, false],
    [5, 0, true],
    [19, 81, false],
    [20, 80, true],
  ])('may be one with %i rejected and %i accepted: %s', (rejected, accepted, may) => {
    expect(mayBeSpike({ rejected, accepted })).toBe(may);
  });

  test('depends on what is usual', () => {
    // Half a rejection in 14 hours if there never was one.
    expect(usualRejected(0)).toBeCloseTo(0.006, 4);
    expect(usualRejected(839.5)).toBeCloseTo(10, 10);
    expect(isSpike({ rejected: 5, accepted: 0 }, usualRejected(0))).toBe(true);
    expect(isSpike({ rejected: 91, accepted: 0 }, 10)).toBe(false);
    expect(isSpike({ rejected: 92, accepted: 0 }, 10)).toBe(true);
  });

  test('is compared with the hour in which most of its minutes are', () => {
    expect(spikeHour(now)).toEqual(new Date('2026-11-16T11:00:00Z'));
    expect(spikeHour(new Date('2026-11-16T12:05:00Z'))).toEqual(new Date('2026-11-16T12:00:00Z'));
  });

  test('lasts while it is as bad as half of its worst', () => {
    expect(isStillSpike(10, 20)).toBe(true);
    expect(isStillSpike(9, 20)).toBe(false);
    expect(isStillSpike(0, 0)).toBe(false);
  });

  test('ends after half an hour, or with 20 accepted leads and none rejected', () => {
    const rejecting = { rejected: 1, accepted: 500 };
    expect(isSpikeOver([rejecting], minutesAgo(29), now)).toBe(false);
    expect(isSpikeOver([rejecting], minutesAgo(30), now)).toBe(true);
    expect(isSpikeOver([{ rejected: 0, accepted: 19 }, rejecting], minutesAgo(1), now)).toBe(false);
    expect(isSpikeOver([{ rejected: 0, accepted: 20 }, rejecting], minutesAgo(1), now)).toBe(true);
  });
});
