import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { dayStart } from '../../../parts/lists/day-input.tsx';
import { mutedText } from './muted-text.ts';
import { useMute } from './use-mute.ts';

interface MuteDialogProps {
  readonly opened: boolean;
  readonly alarm: AlarmView;
  onClose(): void;
}

export function MuteDialog({ opened, alarm, onClose }: MuteDialogProps) {
  const [day, setDay] = useState('');
  const mute = useMute(alarm, onClose);
  const until = day === '' ? undefined : dayStart(day, 0);
  const isLater = until !== undefined && Date.parse(until) > Date.now();
  return (
    <Modal opened={opened} onClose={onClose} title="Mute until a date">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isLater) mute.mutate(until);
        }}
      >
        <Stack gap="sm">
          <Text size="sm" className="wrap">
            Nobody is told about {mutedText(alarm)} until that day begins. Alarms still appear here.
          </Text>
          <TextInput
            type="date"
            label="Muted until"
            data-autofocus
            value={day}
            error={day !== '' && !isLater && 'Choose a later day.'}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isLater} loading={mute.isPending}>
              Mute
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
