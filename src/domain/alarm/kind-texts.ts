import type { AlarmKind, InstanceAlarmKind } from './alarm.ts';

export interface AlarmKindText {
  /** A few words. */
  readonly name: string;
  /** One sentence: when there is an alarm. */
  readonly text: string;
}

export const alarmKindTexts: Readonly<Record<AlarmKind, AlarmKindText>> = {
  all_rejected: {
    name: 'All leads rejected',
    text: 'A form or token that worked before has only had rejections for half an hour.',
  },
  after_change: {
    name: 'Rejected after a change',
    text: 'Leads are rejected since someone changed a secret, a token, a form or the workspace.',
  },
  silence: {
    name: 'No leads',
    text: 'A form or token has had no leads for much longer than is usual for it.',
  },
  reject_spike: {
    name: 'More rejections than usual',
    text: 'More requests than usual are rejected for the same reason.',
  },
  field_vanished: {
    name: 'Missing field',
    text: 'A field that almost every lead had is in none of the newest ones.',
  },
  spam_surge: {
    name: 'More spam than usual',
    text: "A much higher percentage of a form's leads is spam than usual.",
  },
  limit_near: {
    name: 'Limit almost reached',
    text: 'A surface of the workspace has used most of its limit, or all of it.',
  },
  clock_drift: {
    name: 'Wrong clock',
    text: 'The signed times of requests are so far off that they may soon be rejected.',
  },
  expiry_near: {
    name: 'Expiry',
    text: 'A token or a former webhook secret that is in use will soon expire.',
  },
  held_waiting: {
    name: 'Held submissions expire',
    text: 'Held submissions that could be admitted expire within three days.',
  },
  sender_unsupported: {
    name: 'Sender that is not supported',
    text: 'A known sender, such as Typeform, posts to a form and proves itself by its own scheme: its calls are rejected and held.',
  },
  key_reused: {
    name: 'Idempotency key reused',
    text: 'Different leads come under the same idempotency key, so only the first is stored.',
  },
  delivery_failing: {
    name: 'Failing deliveries',
    text: 'No delivery to a destination has succeeded for an hour.',
  },
  destination_disabled: {
    name: 'Disabled destination',
    text: 'A destination was disabled because its receiver does not accept deliveries.',
  },
};

export const instanceAlarmKindTexts: Readonly<Record<InstanceAlarmKind, AlarmKindText>> = {
  unattributed_surge: {
    name: 'More unattributed rejections than usual',
    text: 'More requests than usual are rejected that belong to no workspace.',
  },
  spool_waiting: {
    name: 'Leads in the spool',
    text: 'Leads have been waiting in a spool for more than five minutes.',
  },
  watch_interrupted: {
    name: 'Alarms not checked',
    text: 'The instance that checks alarms stopped unexpectedly.',
  },
};
