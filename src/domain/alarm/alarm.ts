/** What can be wrong with the leads of a workspace. The order is that of the documentation. */
export const alarmKinds = [
  'all_rejected',
  'after_change',
  'silence',
  'reject_spike',
  'field_vanished',
  'spam_surge',
  'limit_near',
  'clock_drift',
  'expiry_near',
  'held_waiting',
  'sender_unsupported',
  'key_reused',
  'delivery_failing',
  'destination_disabled',
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

/** What can be wrong with the whole instance, for operators. */
export const instanceAlarmKinds = ['unattributed_surge', 'spool_waiting', 'watch_interrupted'] as const;
export type InstanceAlarmKind = (typeof instanceAlarmKinds)[number];

export type AnyAlarmKind = AlarmKind | InstanceAlarmKind;

/** `high` and `medium` are told immediately, `low` once a day. Nothing that unauthenticated senders can cause is high. */
export const alarmSeverities = ['high', 'medium', 'low'] as const;
export type AlarmSeverity = (typeof alarmSeverities)[number];

export const alarmSeverityTexts: Readonly<Record<AlarmSeverity, string>> = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

/**
 * `recovered`: what was wrong is over. `superseded`: another alarm says more. `removed`: what it is about was deleted, turned
 * off or is no longer watched. Only recoveries are told.
 */
export const alarmEnds = ['recovered', 'superseded', 'removed'] as const;
export type AlarmEnd = (typeof alarmEnds)[number];

/** What an alarm is about. There is one open alarm of a kind about the same at a time. */
export interface AlarmSubject {
  /** Null for the whole instance. */
  readonly workspaceId: string | null;
  readonly kind: AnyAlarmKind;
  readonly formId: string | null;
  readonly tokenId: string | null;
  readonly destinationId: string | null;
  /** A rejection reason, or which of several levels. */
  readonly reason: string | null;
}

/** Something that is wrong now. The evidence is as on the wire: numbers, names and times, and nothing of a lead. */
export interface Finding extends AlarmSubject {
  readonly severity: AlarmSeverity;
  readonly evidence: Evidence;
}

export type Evidence = Readonly<Record<string, unknown>>;

/** What the subject was called when it was last judged. */
export interface AlarmNames {
  readonly form?: string;
  readonly token?: string;
  readonly destination?: string;
}

export interface Alarm extends Finding {
  readonly id: string;
  readonly names: AlarmNames;
  readonly openedAt: Date;
  /** When it was last found to be wrong. */
  readonly lastAt: Date;
  readonly closedAt: Date | null;
  readonly closedAs: AlarmEnd | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly reminders: number;
}

/** The text by which two subjects can be compared. */
export function subjectKey(subject: AlarmSubject): string {
  const { workspaceId, kind, formId, tokenId, destinationId, reason } = subject;
  return [workspaceId, kind, formId, tokenId, destinationId, reason].join(' ');
}
