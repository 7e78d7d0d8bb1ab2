import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../time/clock.ts';
import {
  afterFailure,
  afterSuccess,
  allowedBy,
  type DestinationHealth,
  failuresToOpen,
  healthy,
  isToBeDisabled,
} from './circuit.ts';

const start = new Date('2026-11-16T08:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const fraction = 0.5;

function failing(times: number, health = healthy, ms = 0): DestinationHealth {
  let after = health;
  for (let i = 0; i < times; i++) after = afterFailure(after, { now: at(ms), fraction });
  return after;
}

const open = failing(failuresToOpen);

test('nine failures in a row change nothing, the tenth leaves one probe', () => {
  expect(allowedBy(failing(9), start)).toBe('all');
  expect(open).toMatchObject({ consecutiveFailures: 10, openedAt: start, nextProbeAt: at(5 * secondMs) });
  expect(allowedBy(open, start)).toBe('none');
  expect(allowedBy(open, at(5 * secondMs - 1))).toBe('none');
  expect(allowedBy(open, at(5 * secondMs))).toBe('probe');
});

test('a success in between starts the count again', () => {
  const health = failing(9, failing(9) && afterSuccess());
  expect(allowedBy(health, start)).toBe('all');
});

test('probes follow the steps of the schedule, then one a day', () => {
  const delays: number[] = [];
  let health = open;
  while (delays.length < 11) {
    const now = health.nextProbeAt ?? start;
    health = afterFailure(health, { now, fraction });
    delays.push((health.nextProbeAt?.getTime() ?? 0) - now.getTime());
  }
  expect(delays).toEqual([
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24, 24, 24, 24].map((hours) => hours * hourMs),
  ]);
});

test('requests under way when the circuit opens do not postpone the probe', () => {
  expect(failing(3, open, secondMs)).toEqual(open);
});

test('a probe that succeeds lets everything through', () => {
  expect(allowedBy(afterSuccess(), start)).toBe('all');
  expect(afterSuccess()).toEqual(healthy);
});

test('probes of many destinations are spread', () => {
  const early = afterFailure(failing(9), { now: start, fraction: 0 });
  expect(early.nextProbeAt).toEqual(at(4.5 * secondMs));
});

test('a destination is disabled after five days of failures, not before', () => {
  expect(isToBeDisabled(open, at(5 * dayMs - 1))).toBe(false);
  expect(isToBeDisabled(open, at(5 * dayMs))).toBe(true);
  expect(isToBeDisabled(healthy, at(50 * dayMs))).toBe(false);
});

test('the first failure counts, however late the others follow', () => {
  const health = failing(9, failing(1), 4 * dayMs);
  expect(health.failingSince).toEqual(start);
  expect(isToBeDisabled(health, at(5 * dayMs))).toBe(true);
});

test('a few failures long ago do not disable a destination', () => {
  expect(isToBeDisabled(failing(3), at(50 * dayMs))).toBe(false);
});

test('a clock that was set back disables nothing', () => {
  expect(isToBeDisabled(open, at(-dayMs))).toBe(false);
});
