import { Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { isMuted } from '../alarm-rules.ts';
import { mutedText } from './muted-text.ts';
import { useMute } from './use-mute.ts';

const MuteDialog = lazyDialog(() => import('./mute-dialog.tsx'), 'MuteDialog');

const morning = 8;

/** This hour of a day that comes, on this clock. */
function inDays(days: number): string {
  const time = new Date();
  time.setDate(time.getDate() + days);
  time.setHours(morning, 0, 0, 0);
  return time.toISOString();
}

export function MuteMenu({ alarm }: { alarm: AlarmView }) {
  const mute = useMute(alarm);
  const [isAsking, ask] = useDisclosure();
  const choices = [
    { label: 'Until tomorrow', until: inDays(1) },
    { label: 'For a week', until: inDays(7) },
  ];
  return (
    <>
      <Menu width={260} position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="mute" size={14} />}
            loading={mute.isPending}
          >
            {isMuted(alarm) ? 'Muted' : 'Mute'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Tell nobody about {mutedText(alarm)}</Menu.Label>
          {choices.map(({ label, until }) => (
            <Menu.Item key={label} onClick={() => mute.mutate(until)}>
              {label}
              <Text size="xs" c="dimmed">
                {exactTime(until)}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Item onClick={ask.open}>Until a date…</Menu.Item>
          {isMuted(alarm) && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => mute.mutate(null)}>Unmute</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <MuteDialog opened={isAsking} alarm={alarm} onClose={ask.close} />
    </>
  );
}
