import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useReducer } from 'react';

/** Each unit with its length, and how many of it make the next one. */
const steps = [
  ['second', 1_000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const refreshMs = 10_000;
/** The clocks of two machines may differ by this much. */
const justNowSeconds = 5;

/** "5 min ago". What has happened is never in the future, even if this machine's clock is slow. */
export function ago(time: string | number, now: number): string {
  const [count, unit] = rounded(now - new Date(time).getTime());
  return unit === 'second' && count < justNowSeconds ? 'just now' : plain(relative.format(-count, unit));
}

/** "in 5 min"; "now" if it is due. */
function until(time: string | number, now: number): string {
  const [count, unit] = rounded(new Date(time).getTime() - now);
  return count === 0 ? 'now' : plain(relative.format(count, unit));
}

/** 59.6 minutes are an hour, not 60 minutes. */
function rounded(ms: number): [count: number, unit: Intl.RelativeTimeFormatUnit] {
  const size = Math.max(0, ms);
  const [unit, length] = steps.find(([, each, max]) => Math.round(size / each) < max) ?? steps[3];
  return [Math.round(size / length), unit];
}

/** Without the full stops of "5 min. ago" and "in 5 min.", which read as the end of a sentence. */
function plain(text: string): string {
  return text.replaceAll('.', '');
}

export function exactTime(time: string | number): string {
  return exact.format(new Date(time));
}

interface TimeProps {
  readonly time: string;
  readonly size?: string;
}

/** How long ago something happened, with the exact time in a tooltip. */
export function TimeAgo(props: TimeProps) {
  return <RelativeTime {...props} textOf={ago} />;
}

/** When something will happen, with the exact time in a tooltip. */
export function TimeUntil(props: TimeProps) {
  return <RelativeTime {...props} textOf={until} />;
}

function RelativeTime({ time, size = 'sm', textOf }: TimeProps & { textOf: typeof ago }) {
  const refresh = useReducer((count: number) => count + 1, 0)[1];
  useInterval(refresh, refreshMs, { autoInvoke: true });
  return (
    <Tooltip label={exactTime(time)}>
      <Text
        component="time"
        dateTime={time}
        size={size}
        inherit={size === 'inherit'}
        style={{ whiteSpace: 'nowrap' }}
      >
        {textOf(time, Date.now())}
      </Text>
    </Tooltip>
  );
}
