import type { AnyAlarmKind } from '../domain/alarm/alarm.ts';

/** `failed` is tried again later, `refused` is not: the mail server does not know the address. */
type EmailOutcome = 'sent' | 'failed' | 'refused';

/** What alarms count. */
export interface AlarmMeter {
  onJudged(durationMs: number, at: Date): void;
  onOpened(kind: AnyAlarmKind): void;
  onEmail(outcome: EmailOutcome): void;
}
