import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';
import { Expectation, servedMs } from './expectation.ts';
import { gapsIn, type Interval, union } from './interval.ts';
import { levelOf } from './level.ts';
import { pausesOf } from './pauses.ts';
import { type Arrivals, learnRhythm, type Rhythm, weekMs } from './rhythm.ts';
import { isSilent, isSilentForDays, noticeHours, thresholdOf, watchabilityOf } from './silence.ts';
import { Zone } from './zone.ts';

const utc = Zone.of('UTC');
const berlin = Zone.of('Europe/Berlin');
const monday = Date.parse('2026-09-07T00:00:00Z');

/** Every so many minutes for eight weeks. */
function steady(everyMinutes: number, isLeft: (at: number) => boolean = () => true): Arrivals {
  const at: number[] = [];
  for (let time = monday; time < monday + 8 * weekMs; time += everyMinutes * minuteMs)
    if (isLeft(time)) at.push(time);
  return { at, counts: at.map(() => 1) };
}

function learnt(arrivals: Arrivals, aways: readonly Interval[] = []): Rhythm {
  return learnRhythm(arrivals, utc, aways) as Rhythm;
}

describe('rhythm', () => {
  test('a steady source is expected to be steady, and its longest gap is one of its pauses', () => {
    const { expected, longestGap, weeks, leads } = learnt(steady(30));
    for (let hour = 0; hour < 168; hour++) expect(Math.abs((expected[hour] as number) - 2)).toBeLessThan(0.1);
    expect(longestGap).toBeCloseTo(1, 1);
    expect(weeks).toBeCloseTo(8, 1);
    expect(leads).toBe(8 * 7 * 48);
  });

  test('an hour without leads is expected to have few, but never none', () => {
    const { expected } = learnt(steady(10, (at) => new Date(at).getUTCHours() >= 8));
    expect(expected[3]).toBeCloseTo((0.02 * 7 * 16 * 6) / 168, 2);
    expect(expected[8 + 4]).toBeCloseTo(6, 1);
    // Smoothed with its neighbours.
    expect(expected[7]).toBeGreaterThan(1);
  });

  test('few leads are spread over what their day and their hour suggest', () => {
    const at = [0, 1, 2, 3, 4, 5, 6, 7].map((week) => monday + week * weekMs + 10 * hourMs);
    const { expected } = learnt({ at, counts: at.map(() => 1) });
    const sum = Array.from(expected).reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(0.9);
    expect(expected[10]).toBeGreaterThan(expected[9] as number);
    expect(expected[9]).toBeGreaterThan(expected[12] as number);
  });

  test('an outage of the service leaves the rhythm as it is', () => {
    const away = { from: monday + 3 * dayMs, to: monday + 10 * dayMs };
    const { expected, longestGap } = learnt(
      steady(30, (at) => at < away.from || at >= away.to),
      [away],
    );
    expect(Math.min(...Array.from(expected))).toBeCloseTo(2, 0);
    expect(longestGap).toBeLessThan(2);
  });

  test('a silence that is not over yet is not learnt', () => {
    const stopped = monday + 5 * weekMs;
    const { expected, longestGap } = learnt(steady(30, (at) => at < stopped));
    expect(expected[50]).toBeCloseTo(2, 1);
    expect(longestGap).toBeCloseTo(1, 1);
  });

  test('one lead, or none, has no rhythm', () => {
    expect(learnRhythm({ at: [], counts: [] }, utc)).toBeNull();
    expect(learnRhythm({ at: [monday], counts: [7] }, utc)).toBeNull();
  });
});

describe('expected leads', () => {
  const hours = Array.from({ length: 168 }, (_, hour) => (hour % 24 === 2 ? 10 : 1));

  test('are the sum of the hours, and of the parts of hours', () => {
    const expectation = new Expectation(hours, utc);
    expect(expectation.between(monday, monday + hourMs)).toBeCloseTo(1);
    expect(expectation.between(monday, monday + dayMs)).toBeCloseTo(33);
    expect(expectation.between(monday + 1.5 * hourMs, monday + 2.25 * hourMs)).toBeCloseTo(0.5 + 2.5);
    expect(expectation.between(monday + 5 * hourMs, monday + 5 * hourMs + 9 * weekMs)).toBeCloseTo(
      9 * 7 * 33,
    );
    expect(expectation.between(monday + hourMs, monday)).toBe(0);
  });

  test('leave out an hour that clocks skip, and have one twice that comes twice', () => {
    const expectation = new Expectation(hours, berlin);
    const inSpring = Date.parse('2026-03-28T23:00:00Z');
    expect(expectation.between(inSpring, inSpring + 23 * hourMs)).toBeCloseTo(23);
    const inAutumn = Date.parse('2026-10-24T22:00:00Z');
    expect(expectation.between(inAutumn, inAutumn + 25 * hourMs)).toBeCloseTo(43);
  });

  test('leave out when the service was unavailable', () => {
    const aways = [
      { from: monday - dayMs, to: monday + hourMs },
      { from: monday + 2 * hourMs, to: monday + 2.5 * hourMs },
      { from: monday + 30 * hourMs, to: Number.POSITIVE_INFINITY },
    ];
    const expectation = new Expectation(hours, utc, aways);
    expect(expectation.between(monday, monday + dayMs)).toBeCloseTo(33 - 1 - 5);
    expect(expectation.between(monday + 40 * hourMs, monday + 90 * hourMs)).toBeCloseTo(0);
    expect(servedMs(monday, monday + dayMs, aways)).toBe(22.5 * hourMs);
  });
});

describe('silence', () => {
  const rhythm = { expected: Array.from({ length: 168 }, () => 1), longestGap: 2, weeks: 8, leads: 1_344 };
  const lastAt = monday + 8 * weekMs;
  const judged = (hours: number, changes: Partial<Parameters<typeof isSilent>[0]> = {}) => {
    const { aways = [], rhythm: its = rhythm } = changes;
    const expectation = new Expectation(its.expected, utc, aways);
    const now = lastAt + hours * hourMs;
    const facts = { rhythm: its, expectation, aways, lastAt, leadsBefore: () => 24, now, isSensitive: false };
    return isSilent({ ...facts, ...changes });
  };

  test('is told when more than 9.2 leads are missing, or 1.5 times the longest gap so far', () => {
    expect(judged(9.1)).toBe(false);
    expect(judged(9.3)).toBe(true);
    const patient = { ...rhythm, longestGap: 10 };
    expect(judged(14.9, { rhythm: patient })).toBe(false);
    expect(judged(15.1, { rhythm: patient })).toBe(true);
    expect(judged(11.9, { rhythm: patient, isSensitive: true })).toBe(false);
    expect(judged(12.1, { rhythm: patient, isSensitive: true })).toBe(true);
  });

  test('is not told after a quiet day: it may be a holiday', () => {
    expect(levelOf(2, 24)).toBeCloseTo(7 / 29);
    expect(levelOf(0, 1_000)).toBe(0.1);
    expect(levelOf(900, 24)).toBe(1);
    expect(judged(30, { leadsBefore: () => 2 })).toBe(false);
    expect(judged(39, { leadsBefore: () => 2 })).toBe(true);
  });

  test('is never told within half an hour, however busy the source is', () => {
    const busy = { ...rhythm, expected: rhythm.expected.map(() => 600) };
    const leadsBefore = () => 24 * 600;
    expect(judged(0.49, { rhythm: busy, leadsBefore })).toBe(false);
    expect(judged(0.51, { rhythm: busy, leadsBefore })).toBe(true);
  });

  test('six hours in which the service was unavailable are not silence, nor is the half-hour after them', () => {
    const aways = [{ from: lastAt + hourMs, to: lastAt + 7 * hourMs }];
    expect(judged(9.3, { aways })).toBe(false);
    expect(judged(15.1, { aways })).toBe(false);
    expect(judged(15.3, { aways })).toBe(true);
    const late = [{ from: lastAt + 20 * hourMs, to: lastAt + 21 * hourMs }];
    expect(judged(21.4, { aways: late })).toBe(false);
    expect(judged(21.6, { aways: late })).toBe(true);
  });

  test('needs two weeks of history and five leads a week', () => {
    expect(watchabilityOf({ weeks: 1.9, leads: 500 })).toBe('learning');
    expect(watchabilityOf({ weeks: 8, leads: 39 })).toBe('too_few');
    expect(watchabilityOf({ weeks: 8, leads: 40 })).toBe('watched');
    expect(judged(99, { rhythm: { ...rhythm, weeks: 1.9 } })).toBe(false);
  });

  test('of a number of days is told whatever is usual', () => {
    expect(isSilentForDays(lastAt, lastAt + 2 * dayMs - 1, 2, [])).toBe(false);
    expect(isSilentForDays(lastAt, lastAt + 2 * dayMs, 2, [])).toBe(true);
    const aways = [{ from: lastAt, to: lastAt + dayMs }];
    expect(isSilentForDays(lastAt, lastAt + 2 * dayMs, 2, aways)).toBe(false);
    expect(isSilentForDays(lastAt, lastAt + 3 * dayMs, 2, aways)).toBe(true);
  });

  test('would be noticed after the hours that the threshold takes, at the median', () => {
    expect(noticeHours(rhythm, false)).toBeCloseTo(9.2);
    expect(noticeHours({ ...rhythm, longestGap: 200 }, false)).toBeCloseTo(300);
    expect(noticeHours({ ...rhythm, longestGap: 200 }, true)).toBeCloseTo(240);
    expect(noticeHours({ ...rhythm, expected: rhythm.expected.map(() => 600) }, false)).toBe(0.5);
    expect(thresholdOf(0, false)).toBe(9.2);
  });
});

describe('times of service', () => {
  test('gaps are what lies between them, and what is missing until now', () => {
    const served = [
      { from: 0, to: 100 },
      { from: 90, to: 200 },
      { from: 250, to: 250 },
      { from: 400, to: 500 },
    ];
    expect(gapsIn(served, 550, 60)).toEqual([{ from: 251, to: 400 }]);
    expect(gapsIn(served, 600, 60)).toEqual([
      { from: 251, to: 400 },
      { from: 500, to: 600 },
    ]);
    expect(gapsIn([], 600, 60)).toEqual([]);
    expect(union([{ from: 5, to: 5 }])).toEqual([]);
  });

  test('a form was turned off between two actions of people, and is on without any', () => {
    const at = (ms: number) => new Date(ms);
    const switchings = [
      { formId: 'a', isOn: true, at: at(10) },
      { formId: 'a', isOn: false, at: at(20) },
      { formId: 'b', isOn: false, at: at(25) },
      { formId: null, isOn: false, at: at(30) },
      { formId: 'a', isOn: true, at: at(40) },
      { formId: null, isOn: true, at: at(50) },
      { formId: 'a', isOn: false, at: at(60) },
    ];
    expect(pausesOf(switchings, 'a')).toEqual([
      { from: 20, to: 50 },
      { from: 60, to: Number.POSITIVE_INFINITY },
    ]);
    expect(pausesOf([{ formId: 'a', isOn: true, at: at(10) }], 'a')).toEqual([]);
  });
});
