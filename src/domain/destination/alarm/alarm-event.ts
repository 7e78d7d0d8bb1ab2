import { type AlarmSeverity, alarmSeverities } from '../../alarm/alarm.ts';
import type { EventType } from '../destination.ts';

/** What an event says about an alarm. Nothing in it is of a lead. */
export interface EventAlarm {
  readonly id: string | null;
  readonly kind: string | null;
  readonly severity: AlarmSeverity;
  /** What it is about; of these at most some are known. */
  readonly form: Named;
  readonly token: Named;
  readonly destination: Named;
  readonly reason: string | null;
  readonly openedAt: string | null;
  readonly closedAt: string | null;
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly urlPath: string | null;
  readonly evidence: Data;
}

interface Named {
  readonly id: string | null;
  readonly name: string | null;
}

type Data = Readonly<Record<string, unknown>>;

export interface EventAlarms {
  readonly alarms: readonly EventAlarm[];
  /** How many others a digest is about. */
  readonly more: number;
}

export function isAlarmEvent(type: EventType): boolean {
  return type.startsWith('alarm.');
}

/** What is wrong, of an event about one alarm or about several. Whatever its data lacks is unknown. */
export function alarmsIn(data: Data | null): EventAlarms {
  const { alarm, alarms, more } = data ?? {};
  const list = isData(alarm) ? [alarm] : Array.isArray(alarms) ? alarms.filter(isData) : [];
  return { alarms: list.map(alarmOf), more: typeof more === 'number' && more > 0 ? Math.floor(more) : 0 };
}

export interface AlarmReader {
  readonly id: string;
  /** Null for all forms. */
  readonly formIds: readonly string[] | null;
}

/**
 * What one destination gets of the data of an event; null if nothing is left. It is not told about itself, because it would
 * not get it, and not about forms that it has nothing to do with. What concerns the whole workspace concerns it, too.
 */
export function alarmDataFor(data: Data | null, { id, formIds }: AlarmReader): Data | null {
  const { alarm, alarms } = data ?? {};
  const isFor = (one: unknown): boolean => {
    if (!isData(one) || one.destination_id === id) return false;
    return formIds === null || typeof one.form_id !== 'string' || formIds.includes(one.form_id);
  };
  if (isData(alarm)) return isFor(alarm) ? data : null;
  if (!Array.isArray(alarms)) return null;
  const left = alarms.filter(isFor);
  if (left.length === 0) return null;
  // Which forms the others are about is not known.
  return left.length === alarms.length && formIds === null ? data : { ...data, alarms: left, more: 0 };
}

function alarmOf(data: Data): EventAlarm {
  const text = (key: string) => textOf(data[key]);
  const named = (subject: string) => ({ id: text(`${subject}_id`), name: text(`${subject}_name`) });
  return {
    id: text('id'),
    kind: text('kind'),
    severity: alarmSeverities.find((one) => one === data.severity) ?? 'medium',
    form: named('form'),
    token: named('token'),
    destination: named('destination'),
    reason: text('reason'),
    openedAt: text('opened_at'),
    closedAt: text('closed_at'),
    title: text('title') ?? text('kind') ?? 'Something is wrong',
    facts: Array.isArray(data.facts) ? data.facts.flatMap(factOf) : [],
    urlPath: text('url_path'),
    evidence: isData(data.evidence) ? data.evidence : {},
  };
}

function factOf(fact: unknown): EventAlarm['facts'] {
  if (!isData(fact)) return [];
  const [label, value] = [textOf(fact.label), textOf(fact.value)];
  return label === null || value === null ? [] : [{ label, value }];
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Of the page in the settings area that shows more; null if the URL of the service is unknown. */
export function alarmUrl(
  { urlPath }: Pick<EventAlarm, 'urlPath'>,
  workspaceId: string,
  publicUrl: string | null,
): string | null {
  if (publicUrl === null) return null;
  const below = `/w/${workspaceId}`;
  // A second slash would lead to another host.
  if (urlPath === null || !/^\/(?!\/)/.test(urlPath)) return `${publicUrl}${below}/alarms`;
  return urlPath.startsWith(`${below}/`) ? `${publicUrl}${urlPath}` : `${publicUrl}${below}${urlPath}`;
}
