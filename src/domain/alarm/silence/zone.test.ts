import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../time/clock.ts';
import { hourOfWeek, Zone } from './zone.ts';

const at = (text: string) => Date.parse(text);
const hourIn = (zone: string, text: string) => hourOfWeek(at(text) + Zone.of(zone).offsetMsAt(at(text)));

test('weeks begin on Monday at midnight in the time zone', () => {
  expect(hourIn('UTC', '2026-11-16T00:00:00Z')).toBe(0);
  expect(hourIn('UTC', '2026-11-15T23:59:59Z')).toBe(167);
  expect(hourIn('Europe/Berlin', '2026-11-15T23:00:00Z')).toBe(0);
  expect(hourIn('America/New_York', '2026-11-16T00:00:00Z')).toBe(163);
  expect(hourIn('Asia/Kolkata', '2026-11-15T18:29:00Z')).toBe(167);
  expect(hourIn('Asia/Kolkata', '2026-11-15T18:30:00Z')).toBe(0);
});

test('the hour follows the local clock when clocks are changed', () => {
  expect(hourIn('Europe/Berlin', '2026-03-29T00:59:00Z')).toBe(6 * 24 + 1);
  expect(hourIn('Europe/Berlin', '2026-03-29T01:00:00Z')).toBe(6 * 24 + 3);
  expect(hourIn('Europe/Berlin', '2026-10-25T00:59:00Z')).toBe(6 * 24 + 2);
  expect(hourIn('Europe/Berlin', '2026-10-25T01:00:00Z')).toBe(6 * 24 + 2);
});

test('a change of the offset is found to the minute, whatever was asked before', () => {
  const berlin = Zone.of('Europe/Berlin');
  const change = at('2026-10-25T01:00:00Z');
  expect(berlin.spanAt(change - hourMs)).toMatchObject({ to: change, offsetMs: 2 * hourMs });
  expect(berlin.spanAt(change)).toMatchObject({ from: change, offsetMs: hourMs });
  expect(berlin.spanAt(at('2024-12-01T00:00:00Z'))).toMatchObject({
    to: at('2025-03-30T01:00:00Z'),
    offsetMs: hourMs,
  });
  expect(berlin.spanAt(change - minuteMs)).toMatchObject({ to: change, offsetMs: 2 * hourMs });
});

test('a zone that this system does not know is taken for UTC', () => {
  expect(Zone.of('Mars/Olympus').name).toBe('UTC');
});
