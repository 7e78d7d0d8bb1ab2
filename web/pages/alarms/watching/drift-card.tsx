import { Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormClockDrift } from '../../../../src/contract/alarms/watching.ts';
import { clockDriftQuery } from '../../../api/alarm-queries.ts';
import { DriftScale } from '../../../parts/charts/drift-scale.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Tag } from '../../../parts/tag.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { DriftLine } from './drift-line.tsx';
import { driftText, secondsText } from './drift-text.ts';

/** How far the sender's clock is off. Nothing without signed requests. */
export function DriftCard({ formId }: { formId: string }) {
  const drift = useQuery(clockDriftQuery(useWorkspaceId(), formId)).data;
  if (drift === undefined || drift.median_seconds === null || drift.p95_seconds === null) return null;
  return <Drift drift={drift} median={drift.median_seconds} p95={drift.p95_seconds} />;
}

interface DriftProps {
  readonly drift: FormClockDrift;
  readonly median: number;
  readonly p95: number;
}

function Drift({ drift, median, p95 }: DriftProps) {
  const { requests, window_seconds, alarm_seconds, hours } = drift;
  const { medium: warnFrom, high: badFrom } = alarm_seconds;
  const off = Math.abs(p95);
  const label = `Median ${secondsText(median)}, 95th percentile ${secondsText(p95)}, allowed ±${window_seconds} s.`;
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Clock
        </Title>
        {off >= badFrom && (
          <Tag tone="bad" icon="alert">
            Nearly rejected
          </Tag>
        )}
        {off >= warnFrom && off < badFrom && (
          <Tag tone="warning" icon="alert">
            Close to the limit
          </Tag>
        )}
        {off < warnFrom && (
          <Tag tone="good" icon="check">
            Fine
          </Tag>
        )}
      </Group>
      <Text size="sm" mb="sm">
        {driftText(drift)}
      </Text>
      <DriftScale
        label={label}
        half={window_seconds}
        allowed={warnFrom}
        warned={badFrom}
        marks={[{ seconds: p95, isMinor: true }, { seconds: median }]}
        isOutside={off >= warnFrom}
        labels={[{ seconds: warnFrom, text: `${warnFrom} s` }]}
      />
      <Text size="xs" c="dimmed" className="numbers" mb="sm">
        Median {secondsText(median)} (bar), 95th percentile {secondsText(p95)} (hollow), of{' '}
        {countText(requests, 'signed request')} in 24 hours. More than ±{window_seconds} s is rejected.
      </Text>
      <DriftLine hours={hours} half={window_seconds} limit={warnFrom} />
    </Box>
  );
}
