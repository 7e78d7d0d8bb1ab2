import type { AlarmKind, InstanceAlarmKind } from '../../src/domain/alarm/alarm.ts';

/** What the page says about a kind of alarm, besides its text in the code. */
interface AlarmNote {
  readonly when: string;
  readonly severity: string;
  readonly over: string;
}

export const alarmNotes: Readonly<Record<AlarmKind, AlarmNote>> = {
  all_rejected: {
    when: 'At least 5 rejections of authenticated senders and no accepted lead in 30 minutes, of a source that had leads in the last 30 days. Limits and suspensions have their own alarm',
    severity: 'high',
    over: 'a lead is accepted. After 24 hours without a rejection it closes without a message',
  },
  after_change: {
    when: 'The first rejections of a reason, within an hour after a change that can cause it. Names the change and who made it',
    severity: 'high; medium if web pages are affected',
    over: 'a lead is accepted. After 24 hours without a rejection it closes without a message',
  },
  silence: {
    when: 'See [Silence](#silence)',
    severity: 'high',
    over: 'the first accepted lead',
  },
  reject_spike: {
    when: 'At least 5 rejections in 10 minutes, 20 % of all requests, and far more than at the same hour of the last 14 days',
    severity: 'high if the senders are authenticated, otherwise low',
    over: '30 minutes with less than half of it, or 20 accepted leads without a rejection',
  },
  field_vanished: {
    when: 'The field was in 95 % of the last 200 leads, and is in none of the newest 10, or 5 % of a day',
    severity: 'high; medium if the leads are from web pages',
    over: 'a lead has the field again, or after 7 days',
  },
  spam_surge: {
    when: 'In an hour, at least 20 leads and three times the percentage of spam of the last four weeks, in which the form had at least 50 leads',
    severity: 'medium',
    over: 'the percentage falls to half, or there are hardly any leads',
  },
  limit_near: {
    when: '80 %, 95 % and 100 % of the leads of a day, or 100 % of a minute ([limits](limits.md))',
    severity: 'medium; high at 100 % unless it is the browser surface',
    over: 'the day or the minute is over',
  },
  clock_drift: {
    when: 'Of at least 10 correctly signed requests in an hour, 5 % are 3 minutes off or more. Says whether a clock is wrong or a queue sends old requests',
    severity: 'medium; high from 4 minutes, because [5 minutes](signing.md) are the limit',
    over: 'requests are less than 2 minutes off, or there were none for 24 hours',
  },
  expiry_near: {
    when: 'A token that was used in the last 30 days expires in 14, 3 or 1 days. Or the overlap of a webhook secret ends within 24 hours, and the previous secret was used in the last 24',
    severity: 'medium',
    over: 'it is replaced, revoked or expired',
  },
  held_waiting: {
    when: '[Held submissions](held.md) that can be admitted expire within 3 days',
    severity: 'medium',
    over: 'they are admitted, discarded or expired',
  },
  sender_unsupported: {
    when: 'A call of a [known sender](held.md#calls-of-known-senders) that proves itself by its own scheme. The same call sent again does not count',
    severity: 'high',
    over: 'there was no such call for 24 hours',
  },
  key_reused: {
    when: 'Five different leads, with other email addresses or phone numbers, under one [idempotency key](idempotency.md) in an hour. One differing body is enough if the key is a credential of this service',
    severity: 'high',
    over: 'there was none for 24 hours',
  },
  delivery_failing: {
    when: 'No [delivery](deliveries.md) to a destination has succeeded for an hour',
    severity: 'medium',
    over: 'a delivery succeeds, or the destination is disabled',
  },
  destination_disabled: {
    when: 'A destination was [disabled](destinations.md#when-a-receiver-fails)',
    severity: 'high',
    over: 'it is active again',
  },
};

export const instanceAlarmNotes: Readonly<Record<InstanceAlarmKind, Omit<AlarmNote, 'when'>>> = {
  unattributed_surge: { severity: 'low', over: 'it is less than half for 30 minutes' },
  spool_waiting: { severity: 'high', over: 'the spool is drained' },
  watch_interrupted: { severity: 'medium', over: 'an hour has passed' },
};
