import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useReducer } from 'react';
import { ago, until } from './text/relative-time.ts';

const refreshMs = 10_000;
let zone: string | undefined;
let exact = exactFormat();

function exactFormat() {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: zone ? 'long' : 'medium',
    timeZone: zone,
  });
}

/** Of all times from now on. Without a name, that of this machine. */
export function showTimesIn(name?: string): void {
  zone = name;
  exact = exactFormat();
}

export const shownZone = () => zone;

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
