import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useReducer } from 'react';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const refreshMs = 10_000;

export function ago(time: string | number, now: number): string {
  const distance = new Date(time).getTime() - now;
  const [unit, length] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? ['second', 1_000];
  // "in 5 min" without the full stop, which often ends a sentence; "5 min. ago" has none at its end.
  return relative.format(Math.round(distance / length), unit).replace(/\.$/, '');
}

export function exactTime(time: string | number): string {
  return exact.format(new Date(time));
}

/** How long ago, with the exact time in a tooltip. */
export function TimeAgo({ time, size = 'sm' }: { time: string; size?: string }) {
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
        {ago(time, Date.now())}
      </Text>
    </Tooltip>
  );
}
