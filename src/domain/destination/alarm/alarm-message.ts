import { alarmSeverityTexts } from '../../alarm/alarm.ts';
import { numberText, timeText } from '../../alarm/text/reading.ts';
import type { EventType } from '../destination.ts';
import { type DigestMessage, digestEntriesMax } from '../message/digest-message.ts';
import { type Fact, type Message, type MessageOptions, messageLimits } from '../message/message.ts';
import { lineOf, linesOf } from '../message/plain-text.ts';
import type { EventContent } from '../request/delivery-request.ts';
import { alarmsIn, alarmUrl, type EventAlarm } from './alarm-event.ts';

const prefixes: Readonly<Partial<Record<EventType, string>>> = {
  'alarm.opened': 'Alarm',
  'alarm.reminder': 'Reminder',
  'alarm.closed': 'Over',
};

/** Null if the data of the event says nothing. */
export function alarmMessage(
  { event, data }: EventContent,
  options: MessageOptions,
): Message | DigestMessage | null {
  const { alarms, more } = alarmsIn(data);
  const { workspaceId, type } = event;
  const written = (alarm: EventAlarm, prefix: string | null) =>
    messageAbout(alarm, prefix, workspaceId, options);
  const [first] = alarms;
  if (type !== 'alarm.digest') return first === undefined ? null : written(first, prefixes[type] ?? null);
  const shown = alarms.slice(0, digestEntriesMax);
  const count = alarms.length + more;
  const { publicUrl } = options;
  return {
    title: count === 1 ? '1 alarm' : `${numberText(count)} alarms`,
    entries: shown.map((alarm) => written(alarm, alarm.closedAt === null ? null : 'Over')),
    more: count - shown.length,
    url: publicUrl === null ? null : `${publicUrl}/w/${workspaceId}/alarms`,
    openText: 'Open the alarms',
  };
}

function messageAbout(
  alarm: EventAlarm,
  prefix: string | null,
  workspaceId: string,
  { linkOnly, publicUrl }: MessageOptions,
): Message {
  const title = prefix === null ? alarm.title : `${prefix}: ${alarm.title}`;
  return {
    title: lineOf(title, messageLimits.titleCharacters),
    facts: linkOnly ? [] : factsOf(alarm),
    url: alarmUrl(alarm, workspaceId, publicUrl),
    replyTo: null,
  };
}

function factsOf({ severity, openedAt, closedAt, facts }: EventAlarm): Fact[] {
  const times = [
    ['Since', openedAt],
    ['Until', closedAt],
  ] as const;
  return [
    { label: 'Severity', value: alarmSeverityTexts[severity] },
    ...times.flatMap(([label, time]) => {
      const value = shownTime(time);
      return value === null ? [] : [{ label, value }];
    }),
    ...facts.map(({ label, value }) => ({
      label: lineOf(label, messageLimits.labelCharacters),
      value: linesOf(value, messageLimits.valueCharacters),
    })),
  ].slice(0, messageLimits.facts);
}

function shownTime(time: string | null): string | null {
  const at = new Date(time ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : timeText(at);
}
