import { Box, Button, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HealthSeries } from '../../../../src/contract/operator/health.ts';
import { healthSeriesQuery } from '../../../api/operator-queries.ts';
import { Sparkline } from '../../../parts/charts/sparkline.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { TimeAgo } from '../../../parts/time.tsx';
import { charts } from './charts.ts';
import { RecentTable } from './recent-table.tsx';

/** The last hour of this instance as small charts, or as a table with the same numbers. */
export function RecentCard() {
  const [isTable, setTable] = useState(false);
  const query = useQuery(healthSeriesQuery);
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={2} size="h5">
          Last hour
        </Title>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as charts' : 'Show as table'}
        </Button>
      </Group>
      <Loaded query={query} rows={3}>
        {(series) => (
          <>
            <Since series={series} />
            {isTable ? <RecentTable series={series} /> : <Charts series={series} />}
          </>
        )}
      </Loaded>
    </Box>
  );
}

/** A process keeps its own history, so a restart or another process shows another one. */
function Since({ series }: { series: HealthSeries }) {
  const { instance, workers, points, points_max, step_seconds } = series;
  const isWhole = points.length >= points_max;
  const processes = workers === 1 ? `process ${instance.process_id}` : `all ${workers} workers`;
  return (
    <Text size="sm" c="dimmed" mb="md" component="div" className="wrap">
      Of {instance.host}, {processes}, in steps of {step_seconds} seconds.
      {!isWhole && (
        <>
          {' '}
          {workers === 1 ? 'It' : 'The first worker'} started{' '}
          <TimeAgo time={instance.started_at} size="inherit" />, and keeps no history across restarts.
        </>
      )}
    </Text>
  );
}

function Charts({ series }: { series: HealthSeries }) {
  const { points, points_max, step_seconds } = series;
  const newest = points.at(-1);
  const to = newest === undefined ? Date.now() : Date.parse(newest.at);
  const from = to - points_max * step_seconds * 1_000;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="lg" verticalSpacing="lg">
      {charts.map(({ title, lines, ...chart }) => (
        <Sparkline
          key={title}
          title={title}
          {...chart}
          from={from}
          to={to}
          lines={lines.map(({ label, name }) => ({
            label,
            points: points.map((point) => ({ at: point.at, value: point[name] })),
          }))}
        />
      ))}
    </SimpleGrid>
  );
}
