import { SegmentedControl, Stack, Text } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useId } from 'react';

const choices = [
  { value: '0', label: 'None' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];

/** In seconds, as text: long enough to move senders or receivers on a working day. */
export const overlapDefault = '86400';

interface OverlapChoiceProps {
  readonly label: string;
  /** What happens to those who still have the current secret, without an overlap and with one. */
  readonly withoutOverlap: string;
  readonly withOverlap: string;
  readonly value: string;
  readonly input: GetInputPropsReturnType;
}

/** For how long the current secret stays valid after a rotation. */
export function OverlapChoice({ label, withoutOverlap, withOverlap, value, input }: OverlapChoiceProps) {
  const id = useId();
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <SegmentedControl aria-labelledby={id} data={choices} {...input} />
      <Text size="xs" c="dimmed">
        {value === '0' ? withoutOverlap : withOverlap}
      </Text>
    </Stack>
  );
}
