import type { JsonText } from '../../json/json-text.ts';
import { destinationLimits, type Format } from '../destination.ts';
import type { EventFacts } from '../lead-facts.ts';
import { type Payload, shortPayload } from '../payload.ts';
import { alarmsIn, alarmUrl, type EventAlarm } from './alarm-event.ts';

type Data = Readonly<Record<string, unknown>> | null;

interface AlarmPayloadOptions {
  readonly format: Format;
  readonly publicUrl: string | null;
}

/** Members are written in this order, whatever order the database has them in. */
export function alarmPayload(event: EventFacts, data: Data, options: AlarmPayloadOptions): Payload {
  const isThin = options.format === 'thin';
  const payload = shortPayload(event, options.format, membersOf(event, data, options, isThin));
  if (payload.body.length <= destinationLimits.bodyBytes) return payload;
  const members = [...membersOf(event, data, options, true), ['truncated', 'true'] as const];
  return { ...shortPayload(event, options.format, members), isTruncated: true };
}

function membersOf(
  event: EventFacts,
  data: Data,
  { publicUrl }: AlarmPayloadOptions,
  isThin: boolean,
): [key: string, json: JsonText][] {
  const { alarms, more } = alarmsIn(data);
  const view = (alarm: EventAlarm) => {
    const url = alarmUrl(alarm, event.workspaceId, publicUrl);
    return isThin ? { ...ids(alarm), url } : { ...whole(alarm), url };
  };
  const views = alarms.map(view);
  if (event.type === 'alarm.digest')
    return [
      ['alarms', JSON.stringify(views)],
      ['more', String(more)],
    ];
  return [['alarm', JSON.stringify(views[0] ?? null)]];
}

/** Without names. */
function ids({ id, kind, severity, form, token, destination, openedAt, closedAt }: EventAlarm): object {
  return {
    id,
    kind,
    severity,
    form_id: form.id,
    token_id: token.id,
    destination_id: destination.id,
    opened_at: openedAt,
    closed_at: closedAt,
  };
}

function whole(alarm: EventAlarm): object {
  const { id, kind, severity, form, token, destination } = alarm;
  return {
    id,
    kind,
    severity,
    form_id: form.id,
    form_name: form.name,
    token_id: token.id,
    token_name: token.name,
    destination_id: destination.id,
    destination_name: destination.name,
    reason: alarm.reason,
    opened_at: alarm.openedAt,
    closed_at: alarm.closedAt,
    title: alarm.title,
    facts: alarm.facts,
    url_path: alarm.urlPath,
    evidence: alarm.evidence,
  };
}
