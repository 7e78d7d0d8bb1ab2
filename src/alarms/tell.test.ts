import { expect, test } from 'vitest';
import type { Alarm } from '../domain/alarm/alarm.ts';
import { defaultAlarmSettings } from '../domain/alarm/settings.ts';
import { dayMs, hourMs, minuteMs } from '../time/clock.ts';
import { isEndTold, isReminderDue, remindersDue, riseOf, tellingOf, worse } from './tell.ts';

const openedAt = new Date('2026-11-15T08:00:00Z');
const after = (ms: number) => new Date(openedAt.getTime() + ms);
const alarm: Alarm = {
  ...{ id: 'a', workspaceId: 'w', kind: 'all_rejected', formId: 'f', tokenId: null, destinationId: null },
  ...{ reason: null, severity: 'high', evidence: {}, names: {}, openedAt, lastAt: openedAt, closedAt: null },
  ...{ closedAs: null, acknowledgedAt: null, acknowledgedBy: null, reminders: 0 },
};
const facts = { settings: defaultAlarmSettings, now: openedAt, told: 9, toldBeforeAt: null, hasMail: true };

test('reminders are due after an hour, a day, and each week after that', () => {
  const hours = [0, 0.99, 1, 23, 24, 24 + 167, 24 + 168, 24 + 3 * 168];
  expect(hours.map((hour) => remindersDue(openedAt, after(hour * hourMs)))).toEqual([0, 0, 1, 1, 2, 2, 3, 5]);
});

test('nobody is reminded of what is less important, acknowledged or reminded of already', () => {
  const now = { ...facts, now: after(2 * hourMs) };
  expect(isReminderDue(alarm, now)).toBe(true);
  expect(isReminderDue({ ...alarm, severity: 'low' }, now)).toBe(false);
  expect(isReminderDue({ ...alarm, acknowledgedAt: openedAt }, now)).toBe(false);
  expect(isReminderDue({ ...alarm, reminders: 1 }, now)).toBe(false);
});

test('high and medium are told immediately, low waits for the hour of the digest, too many for room', () => {
  const told = { state: 'told', digestAt: null, emailState: 'due' };
  expect(tellingOf(alarm, facts)).toEqual(told);
  expect(tellingOf({ ...alarm, severity: 'medium' }, facts)).toEqual(told);
  expect(tellingOf(alarm, { ...facts, hasMail: false })).toEqual({ ...told, emailState: 'none' });
  expect(tellingOf({ ...alarm, severity: 'low' }, facts)).toEqual({
    ...{ state: 'collected', emailState: 'none' },
    digestAt: after(dayMs),
  });
  const waiting = { state: 'collected', emailState: 'none', digestAt: openedAt };
  expect(tellingOf({ ...alarm, severity: 'medium' }, { ...facts, told: 10 })).toEqual(waiting);
  expect(tellingOf(alarm, { ...facts, told: 19 })).toEqual(told);
  expect(tellingOf(alarm, { ...facts, told: 20 })).toEqual(waiting);
});

test('what comes again waits until an hour after it was last told', () => {
  const now = after(40 * minuteMs);
  expect(tellingOf(alarm, { ...facts, now, toldBeforeAt: openedAt })).toEqual({
    ...{ state: 'collected', emailState: 'none' },
    digestAt: after(hourMs),
  });
});

test('a mute counts until its time, and not at it', () => {
  const rule = { kind: 'all_rejected', formId: null, tokenId: null, isEnabled: true } as const;
  const mutedUntil = after(hourMs);
  const rules = [{ ...rule, mutedUntil, isSensitive: false, silentDays: null }];
  const settings = { ...defaultAlarmSettings, rules };
  expect(tellingOf(alarm, { ...facts, settings }).state).toBe('muted');
  expect(tellingOf(alarm, { ...facts, settings, now: mutedUntil }).state).toBe('told');
  expect(tellingOf({ ...alarm, kind: 'silence' }, { ...facts, settings }).state).toBe('told');
});

test('only a recovery from something that was told is told', () => {
  const closed = { ...alarm, closedAt: openedAt, closedAs: 'recovered' } as const;
  expect(isEndTold(closed, true)).toBe(true);
  expect(isEndTold(closed, false)).toBe(false);
  expect(isEndTold({ ...closed, closedAs: 'superseded' }, true)).toBe(false);
  expect(isEndTold({ ...closed, severity: 'low' }, true)).toBe(false);
  expect(isEndTold({ ...closed, kind: 'watch_interrupted' }, true)).toBe(false);
});

test('a severity only rises, and that is told as news or as a reminder', () => {
  expect([worse('low', 'high'), worse('high', 'medium'), worse('medium', 'medium')]).toEqual([
    'high',
    'high',
    'medium',
  ]);
  expect(riseOf(alarm, 'low', false)).toBe('opened');
  expect(riseOf(alarm, 'medium', true)).toBe('reminder');
  expect(riseOf(alarm, 'high', true)).toBeNull();
  expect(riseOf({ ...alarm, acknowledgedAt: openedAt }, 'medium', true)).toBeNull();
});
