import { beforeEach, expect, test } from 'vitest';
import { SettableTime } from '../../test/support/clocks.ts';
import { AnchoredClock } from './anchored-clock.ts';
import { dayMs, hourMs, minuteMs, secondMs } from './clock.ts';

let time: SettableTime;
let clock: AnchoredClock;
beforeEach(() => {
  time = new SettableTime();
  clock = new AnchoredClock(time);
});

test('the clock follows the machine', () => {
  time.pass(3 * hourMs);
  expect(clock.now()).toBe(time.wall());
  expect(clock.leapMs).toBe(0);
});

test.each([30 * secondMs, -30 * secondMs])('a correction by %d ms is followed immediately', (ms) => {
  time.set(ms);
  expect(clock.now()).toBe(time.wall());
  expect(clock.leapMs).toBe(0);
});

test('many small corrections never add up to a leap', () => {
  for (let second = 0; second < 600; second++) {
    time.pass(secondMs);
    time.set(-secondMs);
    expect(clock.now()).toBe(time.wall());
  }
  expect(clock.leapMs).toBe(0);
});

test.each([10 * minuteMs, -10 * minuteMs, dayMs, -dayMs])(
  'a leap of %d ms is reported, and followed only after ten minutes',
  (ms) => {
    time.set(ms);
    expect(clock.leapMs).toBe(ms);
    time.pass(9 * minuteMs);
    expect(clock.now()).toBe(time.wall() - ms);
    time.pass(minuteMs - 1);
    expect(clock.now()).toBe(time.wall() - ms);
    time.pass(secondMs);
    expect(clock.now()).toBe(time.wall());
    expect(clock.leapMs).toBe(0);
  },
);

test('a leap that is undone within ten minutes is never followed', () => {
  time.set(hourMs);
  time.pass(minuteMs);
  expect(clock.leapMs).toBe(hourMs);
  time.set(-hourMs);
  expect(clock.leapMs).toBe(0);
  expect(clock.now()).toBe(time.wall());
});

test('a second leap starts another ten minutes of doubt', () => {
  time.set(hourMs);
  expect(clock.leapMs).toBe(hourMs);
  time.pass(9 * minuteMs);
  time.set(hourMs);
  expect(clock.leapMs).toBe(2 * hourMs);
  time.pass(9 * minuteMs);
  expect(clock.now()).toBe(time.wall() - 2 * hourMs);
});

test('a machine that slept has the right time when it wakes', () => {
  for (const ms of [8 * hourMs, 2 * hourMs]) {
    time.sleep(ms);
    expect(clock.now()).toBe(time.wall());
    expect(clock.leapMs).toBe(0);
  }
  time.set(hourMs);
  expect(clock.leapMs).toBe(hourMs);
});
