import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../time/clock.ts';
import { type DigestPeriod, digestAt, isTimeZone, periodEnd } from './digest.ts';

const dayIn = (timeZone: string, hour: number, since: string) =>
  digestAt({ every: 'day', hour, timeZone }, new Date(since)).toISOString();

describe('a digest is sent', () => {
  const at = (every: DigestPeriod, since: string) =>
    digestAt({ every, hour: 8, timeZone: 'UTC' }, new Date(since)).toISOString();

  test('for each lead as soon as it is due', () => {
    expect(at('lead', '2026-11-15T08:00:00.001Z')).toBe('2026-11-15T08:00:00.001Z');
  });

  test('every hour at the next full hour, and never for what is due at that time', () => {
    expect(at('hour', '2026-11-15T07:59:59.999Z')).toBe('2026-11-15T08:00:00.000Z');
    expect(at('hour', '2026-11-15T08:00:00.000Z')).toBe('2026-11-15T09:00:00.000Z');
  });

  test('every day at the next such hour', () => {
    expect(at('day', '2026-11-15T07:59:59.999Z')).toBe('2026-11-15T08:00:00.000Z');
    expect(at('day', '2026-11-15T08:00:00.000Z')).toBe('2026-11-16T08:00:00.000Z');
    expect(at('day', '2026-12-31T09:00:00.000Z')).toBe('2027-01-01T08:00:00.000Z');
  });
});

describe('the hour is one of the time zone', () => {
  test.each([
    ['Europe/Berlin', 8, '2026-11-15T00:00:00Z', '2026-11-15T07:00:00.000Z'],
    ['Europe/Berlin', 0, '2026-11-15T12:00:00Z', '2026-11-15T23:00:00.000Z'],
    ['Asia/Kathmandu', 8, '2026-11-15T00:00:00Z', '2026-11-15T02:15:00.000Z'],
    ['Asia/Kathmandu', 0, '2026-11-15T00:00:00Z', '2026-11-15T18:15:00.000Z'],
    ['Pacific/Chatham', 23, '2026-11-15T00:00:00Z', '2026-11-15T09:15:00.000Z'],
    ['Pacific/Kiritimati', 8, '2026-11-15T00:00:00Z', '2026-11-15T18:00:00.000Z'],
    ['America/Los_Angeles', 17, '2026-11-15T00:00:00Z', '2026-11-15T01:00:00.000Z'],
  ])('%s at %i', (timeZone, hour, since, expected) => {
    expect(dayIn(timeZone, hour, since)).toBe(expected);
  });
});

describe('when the clocks go forward', () => {
  test('the digest comes at the same hour of the day', () => {
    expect(dayIn('Europe/Berlin', 8, '2026-03-28T08:00:00Z')).toBe('2026-03-29T06:00:00.000Z');
  });

  test('on a day without the hour it comes when the clocks show the next one', () => {
    expect(dayIn('Europe/Berlin', 2, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    // From 02:00 to 02:30.
    expect(dayIn('Australia/Lord_Howe', 2, '2026-10-03T03:00:00Z')).toBe('2026-10-03T15:30:00.000Z');
    // From 00:00 to 01:00.
    expect(dayIn('America/Santiago', 0, '2026-09-05T12:00:00Z')).toBe('2026-09-06T04:00:00.000Z');
  });
});

describe('when the clocks go back', () => {
  test('the digest comes at the same hour of the day, and not in the night', () => {
    expect(dayIn('Europe/Berlin', 8, '2026-10-24T08:00:00Z')).toBe('2026-10-25T07:00:00.000Z');
    expect(dayIn('Europe/Berlin', 3, '2026-10-24T12:00:00Z')).toBe('2026-10-25T02:00:00.000Z');
    expect(dayIn('America/Santiago', 0, '2026-04-04T12:00:00Z')).toBe('2026-04-05T04:00:00.000Z');
  });

  test('on a day that has the hour twice it comes once', () => {
    expect(dayIn('Europe/Berlin', 2, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
    expect(dayIn('Europe/Berlin', 2, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z');
    // From 24:00 to 23:00.
    expect(dayIn('America/Santiago', 23, '2026-04-04T12:00:00Z')).toBe('2026-04-05T02:00:00.000Z');
    expect(dayIn('America/Santiago', 23, '2026-04-05T02:00:00Z')).toBe('2026-04-06T03:00:00.000Z');
    // From 02:00 to 01:30.
    expect(dayIn('Australia/Lord_Howe', 2, '2026-04-04T03:00:00Z')).toBe('2026-04-04T15:30:00.000Z');
    expect(dayIn('Australia/Lord_Howe', 1, '2026-04-04T03:00:00Z')).toBe('2026-04-04T14:00:00.000Z');
  });
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Antarctica/Troll',
  'America/Scoresbysund',
];

test.each(zones)('a year in %s has a digest for each day, each a day after the last', (timeZone) => {
  const end = Date.parse('2027-01-02T00:00:00Z');
  let at = digestAt({ every: 'day', hour: 2, timeZone }, new Date('2026-01-01T00:00:00Z'));
  let count = 1;
  while (at.getTime() < end) {
    const next = digestAt({ every: 'day', hour: 2, timeZone }, at);
    expect(Math.abs(next.getTime() - at.getTime() - dayMs)).toBeLessThanOrEqual(2 * hourMs);
    at = next;
    count++;
  }
  expect([366, 367]).toContain(count);
});

test('all that is due between two digests has the same one', () => {
  const settings = { every: 'day', hour: 2, timeZone: 'Europe/Berlin' } as const;
  const start = Date.parse('2026-10-24T01:07:00Z');
  let known = { from: 0, to: 0 };
  for (let at = start; at < start + 3 * dayMs; at += 7 * 60_000) {
    const to = digestAt(settings, new Date(at)).getTime();
    if (at < known.to) expect(to).toBe(known.to);
    known = { from: at, to };
  }
});

test('the end of a period is always later', () => {
  expect(periodEnd(new Date(0), hourMs)).toEqual(new Date(hourMs));
  expect(periodEnd(new Date(hourMs - 1), hourMs)).toEqual(new Date(hourMs));
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Europe/Nowhere', false],
  ['', false],
  ['__proto__', false],
])('%j is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
