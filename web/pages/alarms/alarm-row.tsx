import { Box, Group, Text } from '@mantine/core';
import type { AlarmView } from '../../../src/contract/alarms/alarm.ts';
import { TextLink } from '../../parts/links.tsx';
import { SeverityTag } from '../../parts/severity-tag.tsx';
import { Tag } from '../../parts/tag.tsx';
import { exactTime, TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { AlarmActions } from './actions/alarm-actions.tsx';
import { useOpenAlarm } from './alarm-address.ts';
import { isMuted } from './alarm-rules.ts';

const factsMax = 4;

export function AlarmRow({ alarm }: { alarm: AlarmView }) {
  const workspaceId = useWorkspaceId();
  const { openId } = useOpenAlarm();
  const { id, severity, title, facts, closed_at } = alarm;
  return (
    <Box component="li" className="field alarm" p="md" data-open={id === openId || undefined}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <SeverityTag severity={severity} isOver={closed_at !== null} />
        <TextLink
          to="/w/$workspaceId/alarms/$alarmId"
          params={{ workspaceId, alarmId: id }}
          search
          resetScroll={false}
          state={{ isFromList: true }}
          c="var(--mantine-color-text)"
          fw={580}
          size="sm"
          className="wrap"
        >
          {title}
        </TextLink>
      </Group>
      <Group gap="xs" mt={6}>
        <AlarmTimes alarm={alarm} />
      </Group>
      {facts.length > 0 && (
        <Group component="dl" gap="2px 18px" m={0} mt={6} className="alarm-facts">
          {facts.slice(0, factsMax).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="wrap numbers" dir="auto">
                {value}
              </dd>
            </div>
          ))}
        </Group>
      )}
      <Box mt="sm">
        <AlarmActions alarm={alarm} />
      </Box>
    </Box>
  );
}

/** Since when, until when, and who has seen it. */
export function AlarmTimes({ alarm }: { alarm: AlarmView }) {
  const { opened_at, closed_at, closed_as, acknowledged_by } = alarm;
  return (
    <>
      <Text size="sm" c="dimmed" component="div">
        {closed_at === null ? (
          <>
            Since {exactTime(opened_at)}, <TimeAgo time={opened_at} />
          </>
        ) : (
          <>
            {exactTime(opened_at)} to {exactTime(closed_at)}
          </>
        )}
      </Text>
      {closed_as !== null && <Tag tone={closed_as === 'recovered' ? 'good' : 'quiet'}>{ends[closed_as]}</Tag>}
      {acknowledged_by !== null && (
        <Text size="sm" c="dimmed" className="wrap">
          Acknowledged by {acknowledged_by}
        </Text>
      )}
      {closed_at === null && isMuted(alarm) && (
        <Tag tone="quiet" icon="mute">
          Muted until {exactTime(alarm.muted_until ?? '')}
        </Tag>
      )}
    </>
  );
}

const ends: Readonly<Record<NonNullable<AlarmView['closed_as']>, string>> = {
  recovered: 'Recovered',
  superseded: 'Replaced by another alarm',
  removed: 'No longer watched',
};
