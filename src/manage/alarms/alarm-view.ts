import type { AlarmView, InstanceAlarmView, WholeAlarmView } from '../../contract/alarms/alarm.ts';
import type { ListedNotice } from '../../db/alarms/alarm-notices.ts';
import type { Alarm, AlarmKind, InstanceAlarmKind } from '../../domain/alarm/alarm.ts';
import { alarmText } from '../../domain/alarm/alarm-text.ts';
import { type AlarmSettings, ruleFor } from '../../domain/alarm/settings.ts';
import { alarmPath } from '../../domain/alarm/told.ts';

export interface ViewFacts {
  readonly settings: AlarmSettings;
  readonly now: Date;
}

export function viewAlarm(alarm: Alarm, { settings, now }: ViewFacts): AlarmView {
  const kind = alarm.kind as AlarmKind;
  const { formId, tokenId, destinationId } = alarm;
  const { mutedUntil } = ruleFor(settings, { kind, formId, tokenId });
  return {
    ...commonOf(alarm),
    kind,
    form_id: formId,
    token_id: tokenId,
    destination_id: destinationId,
    muted_until: mutedUntil !== null && mutedUntil > now ? mutedUntil.toISOString() : null,
  };
}

export function viewWhole(alarm: Alarm, facts: ViewFacts, notices: readonly ListedNotice[]): WholeAlarmView {
  return {
    ...viewAlarm(alarm, facts),
    notices: notices.map(({ what, at, state, emailState, emailsSent }) => ({
      what,
      at: at.toISOString(),
      state,
      email_state: emailState,
      emails_sent: emailsSent,
    })),
  };
}

export function viewInstanceAlarm(alarm: Alarm): InstanceAlarmView {
  return { ...commonOf(alarm), kind: alarm.kind as InstanceAlarmKind };
}

function commonOf(alarm: Alarm) {
  const { title, facts } = alarmText(alarm);
  return {
    id: alarm.id,
    severity: alarm.severity,
    reason: alarm.reason,
    opened_at: alarm.openedAt.toISOString(),
    last_at: alarm.lastAt.toISOString(),
    closed_at: alarm.closedAt?.toISOString() ?? null,
    closed_as: alarm.closedAs,
    acknowledged_at: alarm.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: alarm.acknowledgedBy,
    title,
    facts: [...facts],
    path: alarmPath(alarm),
    evidence: { ...alarm.evidence },
  };
}
