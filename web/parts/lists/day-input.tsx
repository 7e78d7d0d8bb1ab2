import { Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

/** The start of a day on this clock, or of one of the days after it. Anything else is left to the API. */
export function dayStart(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + daysLater);
  return Number.isNaN(time.getTime()) ? day : time.toISOString();
}

/** The day of a time on this clock: "2026-07-31". */
export function localDay(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

interface DayInputProps {
  readonly label: string;
  readonly day: string | undefined;
  onChange(day: string | undefined): void;
}

/** A year is typed digit by digit, so the first ones are not a filter yet. */
const yearMin = '2000';

/** A filter by a day. */
export function DayInput({ label, day, onChange }: DayInputProps) {
  const shown = day?.slice(0, 10) ?? '';
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  return (
    <TextInput
      size="xs"
      type="date"
      w={{ base: '100%', xs: 176 }}
      aria-label={label}
      leftSection={<Text size="xs">{label}</Text>}
      leftSectionWidth={48}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (value === '' || value >= yearMin) onChange(value || undefined);
      }}
    />
  );
}
