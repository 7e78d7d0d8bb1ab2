import type { AnyAlarmKind } from './alarm.ts';
import { deliveryFailing, destinationDisabled } from './text/deliveries.ts';
import { spoolWaiting, unattributedSurge, watchInterrupted } from './text/instance.ts';
import { clockDrift, fieldVanished, silence, spamSurge } from './text/leads.ts';
import { expiryNear, heldWaiting, limitNear } from './text/limits.ts';
import { EvidenceReader } from './text/reading.ts';
import { afterChange, allRejected, rejectSpike } from './text/rejections.ts';
import { keyReused, senderUnsupported } from './text/senders.ts';
import type { AlarmText, ToldAlarm, Writer } from './text/told-alarm.ts';

export type { AlarmText, ToldAlarm };

const writers: Readonly<Record<AnyAlarmKind, Writer>> = {
  all_rejected: allRejected,
  after_change: afterChange,
  silence,
  reject_spike: rejectSpike,
  field_vanished: fieldVanished,
  spam_surge: spamSurge,
  limit_near: limitNear,
  clock_drift: clockDrift,
  expiry_near: expiryNear,
  held_waiting: heldWaiting,
  sender_unsupported: senderUnsupported,
  key_reused: keyReused,
  delivery_failing: deliveryFailing,
  destination_disabled: destinationDisabled,
  unattributed_surge: unattributedSurge,
  spool_waiting: spoolWaiting,
  watch_interrupted: watchInterrupted,
};

/** Depends on the alarm only, not on the present time. */
export function alarmText(alarm: ToldAlarm): AlarmText {
  return writers[alarm.kind](alarm, new EvidenceReader(alarm.evidence));
}
