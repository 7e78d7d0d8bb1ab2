import { Box, Group, Text } from '@mantine/core';
import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { Icon, type IconName } from '../../../parts/icons.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { type Notice, noticeText } from './notice-text.ts';

const icons: Readonly<Record<Notice['state'], IconName>> = {
  told: 'send',
  collected: 'clock',
  digested: 'send',
  muted: 'mute',
};

interface NoticesProps extends Pick<AlarmView, 'severity'> {
  readonly notices: readonly Notice[];
}

/** Newest first. */
export function Notices({ notices, severity }: NoticesProps) {
  if (notices.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {severity === 'low' ? 'Nobody yet. It goes into the daily digest.' : 'Nobody yet.'}
      </Text>
    );
  const newestFirst = notices.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <Box component="ol" m={0} p={0} className="history" aria-label="Notices">
      {newestFirst.map((notice) => (
        <Group
          key={`${notice.what} ${notice.at}`}
          component="li"
          wrap="nowrap"
          gap="sm"
          pb="md"
          className="history-event"
        >
          <Box className="history-icon">
            <Icon name={icons[notice.state]} size={13} />
          </Box>
          <Box miw={0}>
            <Text size="sm">{noticeText(notice)}</Text>
            <Text size="xs" c="dimmed">
              {exactTime(notice.at)}
            </Text>
          </Box>
        </Group>
      ))}
    </Box>
  );
}
