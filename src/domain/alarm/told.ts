import type { AlarmSeverity, AnyAlarmKind, Evidence } from './alarm.ts';
import { type AlarmText, alarmText, type ToldAlarm } from './alarm-text.ts';

/** An alarm as in the data of events and in emails. */
export interface AlarmOnWire {
  readonly id: string;
  readonly kind: AnyAlarmKind;
  readonly severity: AlarmSeverity;
  readonly form_id: string | null;
  readonly form_name: string | null;
  readonly token_id: string | null;
  readonly token_name: string | null;
  readonly destination_id: string | null;
  readonly destination_name: string | null;
  readonly reason: string | null;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly title: string;
  readonly facts: AlarmText['facts'];
  /** A path of this service. */
  readonly url_path: string;
  readonly evidence: Evidence;
}

export interface AlarmDigest {
  readonly alarms: readonly AlarmOnWire[];
  /** How many further ones are not listed. */
  readonly more: number;
}

/** The data of an event, and what an email says. */
export type ToldContent = { readonly alarm: AlarmOnWire } | AlarmDigest;

const digestAlarmsMax = 50;

export function toldAlarm(alarm: ToldAlarm): AlarmOnWire {
  const { title, facts } = alarmText(alarm);
  return {
    id: alarm.id,
    kind: alarm.kind,
    severity: alarm.severity,
    form_id: alarm.formId,
    form_name: alarm.names.form ?? null,
    token_id: alarm.tokenId,
    token_name: alarm.names.token ?? null,
    destination_id: alarm.destinationId,
    destination_name: alarm.names.destination ?? null,
    reason: alarm.reason,
    opened_at: alarm.openedAt.toISOString(),
    closed_at: alarm.closedAt?.toISOString() ?? null,
    title,
    facts,
    url_path: alarmPath(alarm),
    evidence: alarm.evidence,
  };
}

/** The page of the settings area that shows more, from the root. */
export function alarmPath(alarm: ToldAlarm): string {
  const { path } = alarmText(alarm);
  return alarm.workspaceId === null ? path : `/w/${alarm.workspaceId}${path}`;
}

const ranks: Readonly<Record<AlarmSeverity, number>> = { high: 0, medium: 1, low: 2 };

/** The most important first. */
export function toldDigest(alarms: readonly ToldAlarm[]): AlarmDigest {
  const listed = alarms
    .toSorted((a, b) => ranks[a.severity] - ranks[b.severity] || b.openedAt.getTime() - a.openedAt.getTime())
    .slice(0, digestAlarmsMax);
  return { alarms: listed.map(toldAlarm), more: alarms.length - listed.length };
}
