import type { Alarm, AlarmSeverity, AnyAlarmKind } from '../domain/alarm/alarm.ts';
import type { EmailState, NoticeState } from '../domain/alarm/notice.ts';
import { type AlarmSettings, isAlarmKind, ruleFor } from '../domain/alarm/settings.ts';
import { digestAt } from '../domain/destination/kind/digest.ts';
import { dayMs, hourMs } from '../time/clock.ts';

/**
 * Of one workspace. What is more is collected and told together. Visitors of web pages can cause medium alarms, so these leave
 * half of the room to high ones.
 */
const toldPerHourMax: Readonly<Record<AlarmSeverity, number>> = { high: 20, medium: 10, low: 10 };
const toldPeriodMs = hourMs;
/** What comes again so soon after it was told is told together, at the end of this time. */
const quietMs = hourMs;
const remindersAfterMs = [hourMs, dayMs];
const reminderPeriodMs = 7 * dayMs;
// That someone watches again is what its opening says.
const closedSilently: readonly AnyAlarmKind[] = ['watch_interrupted'];

/** Since when messages count. */
export function countedSince(now: Date): Date {
  return new Date(now.getTime() - toldPeriodMs);
}

/** Whether another message fits in the hour, after so many. */
export function hasRoom(told: number, severity: AlarmSeverity): boolean {
  return told < toldPerHourMax[severity];
}

/** Of a digest. */
export function worst(alarms: readonly Alarm[]): AlarmSeverity {
  return alarms.reduce<AlarmSeverity>((severity, alarm) => worse(severity, alarm.severity), 'low');
}

/** What was told later than this is not told again immediately. */
export function quietSince(now: Date): Date {
  return new Date(now.getTime() - quietMs);
}

function quietUntil(toldAt: Date): Date {
  return new Date(toldAt.getTime() + quietMs);
}

/** What becomes of a message. */
export interface Telling {
  readonly state: Exclude<NoticeState, 'digested'>;
  /** Of one that is collected. */
  readonly digestAt: Date | null;
  readonly emailState: EmailState;
}

export interface TellingFacts {
  readonly settings: AlarmSettings;
  readonly now: Date;
  /** How many messages there were in the hour. */
  readonly told: number;
  /** When people were last told of an earlier alarm about the same, as bad as this one; null for not lately. */
  readonly toldBeforeAt: Date | null;
  readonly hasMail: boolean;
}

export function tellingOf(alarm: Alarm, facts: TellingFacts): Telling {
  const { settings, now, told, toldBeforeAt, hasMail } = facts;
  if (isMuted(alarm, settings, now)) return { state: 'muted', digestAt: null, emailState: 'none' };
  const collected = (at: Date): Telling => ({ state: 'collected', digestAt: at, emailState: 'none' });
  if (alarm.severity === 'low') return collected(dailyDigestAt(settings, now));
  // Whatever opens and closes every few minutes would be a flood.
  if (toldBeforeAt !== null) return collected(quietUntil(toldBeforeAt));
  // Told together as soon as the hour has room again.
  if (!hasRoom(told, alarm.severity)) return collected(now);
  return { state: 'told', digestAt: null, emailState: emailStateOf(settings, hasMail) };
}

export function emailStateOf({ emailOwners }: AlarmSettings, hasMail: boolean): EmailState {
  return emailOwners && hasMail ? 'due' : 'none';
}

function dailyDigestAt({ digestHour: hour, timeZone }: AlarmSettings, now: Date): Date {
  return digestAt({ every: 'day', hour, timeZone }, now);
}

export function isMuted(alarm: Alarm, settings: AlarmSettings, now: Date): boolean {
  const { kind, formId, tokenId } = alarm;
  if (!isAlarmKind(kind)) return false;
  const { mutedUntil } = ruleFor(settings, { kind, formId, tokenId });
  return mutedUntil !== null && mutedUntil > now;
}

/** How many reminders there should have been. Several that were missed are one. */
export function remindersDue(openedAt: Date, now: Date): number {
  const openMs = now.getTime() - openedAt.getTime();
  const first = remindersAfterMs.filter((ms) => openMs >= ms).length;
  if (first < remindersAfterMs.length) return first;
  return first + Math.floor((openMs - (remindersAfterMs.at(-1) ?? 0)) / reminderPeriodMs);
}

/** While it is muted none is, so that one is due when the mute is over. */
export function isReminderDue(
  alarm: Alarm,
  { settings, now }: Pick<TellingFacts, 'settings' | 'now'>,
): boolean {
  const isTold = alarm.severity !== 'low' && alarm.acknowledgedAt === null;
  return isTold && remindersDue(alarm.openedAt, now) > alarm.reminders && !isMuted(alarm, settings, now);
}

/** A recovery is told to those who were told of the alarm. */
export function isEndTold(alarm: Alarm, wasTold: boolean): boolean {
  return (
    wasTold &&
    alarm.closedAs === 'recovered' &&
    alarm.severity !== 'low' &&
    !closedSilently.includes(alarm.kind)
  );
}

/** What is told of an alarm that became worse; null if nothing is. */
export function riseOf(alarm: Alarm, before: AlarmSeverity, wasTold: boolean): 'reminder' | 'opened' | null {
  if (worse(before, alarm.severity) === before || alarm.acknowledgedAt !== null) return null;
  return wasTold ? 'reminder' : 'opened';
}

const ranks: Readonly<Record<AlarmSeverity, number>> = { low: 0, medium: 1, high: 2 };

export function worse(one: AlarmSeverity, other: AlarmSeverity): AlarmSeverity {
  return ranks[other] > ranks[one] ? other : one;
}
