import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WholeAlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { alarmKindTexts } from '../../../../src/contract/alarms/terms.ts';
import { SeverityTag } from '../../../parts/severity-tag.tsx';
import { Tag } from '../../../parts/tag.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { AlarmActions } from '../actions/alarm-actions.tsx';
import { AlarmTimes } from '../alarm-row.tsx';
import { Notices } from './notices.tsx';

export function AlarmDetail({ alarm }: { alarm: WholeAlarmView }) {
  const { title, severity, kind, facts, notices, closed_at } = alarm;
  const { name, text } = alarmKindTexts[kind];
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group gap="xs">
          <SeverityTag severity={severity} isOver={closed_at !== null} />
          <Tag tone="quiet">{name}</Tag>
        </Group>
        <Title order={2} size="h4" className="wrap" dir="auto">
          {title}
        </Title>
        <Group gap="xs">
          <AlarmTimes alarm={alarm} />
        </Group>
        <AlarmActions alarm={alarm} />
      </Stack>
      <Part title="Evidence">
        <dl className="facts">
          {facts.map(({ label, value }) => (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ))}
          {closed_at === null && <Fact label="Last seen">{exactTime(alarm.last_at)}</Fact>}
        </dl>
      </Part>
      <Part title="Who was told">
        <Notices notices={notices} severity={severity} />
      </Part>
      <Part title="When this alarm opens">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Part>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="wrap numbers" dir="auto">
        {children}
      </dd>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </Box>
  );
}
