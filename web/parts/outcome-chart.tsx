import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { Box, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Diagnostics } from '../../src/contract/diagnostics.ts';
import { numberText, shortNumber } from './numbers.ts';
import { exactTime } from './time.tsx';

type Series = Diagnostics['series'];

const kinds = [
  { name: 'accepted', label: 'Accepted', color: 'teal.6' },
  { name: 'other', label: 'Rejected', color: 'red.6' },
  { name: 'rate_limited', label: 'Rate limited', color: 'yellow.6' },
] as const;

const stripes = 'limited-stripes';
const dayMs = 86_400_000;

interface OutcomeChartProps {
  readonly series: Series;
  readonly shows?: readonly string[];
  readonly height?: number;
  onZoom?(from: string, to: string): void;
}

/** What happened over time. Rate limits have stripes of their own; the table says the same to those who cannot see it. */
export function OutcomeChart({ series, shows, height = 200, onZoom }: OutcomeChartProps) {
  const [isTable, setTable] = useState(false);
  const shown = kinds.filter(({ name }) => shows?.includes(name) ?? true);
  const stepMs = Date.parse(series[1]?.at ?? '') - Date.parse(series[0]?.at ?? '');
  const data = series.map((point) => ({ ...point, label: labelOf(point.at, stepMs) }));
  const zoom = (place: unknown) => {
    const point = series[Number(place)];
    if (point && onZoom && stepMs > 60_000)
      onZoom(point.at, new Date(Date.parse(point.at) + stepMs).toISOString());
  };
  return (
    <Box>
      <Group justify="space-between" mb="xs">
        <Legend shown={shown} />
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </Group>
      {isTable ? (
        <SeriesTable series={series} shown={shown} height={height} />
      ) : (
        <BarChart
          h={height}
          data={data}
          dataKey="label"
          type="stacked"
          series={shown.map(({ name, label, color }) => ({ name, label, color }))}
          barProps={({ name }) => (name === 'rate_limited' ? { fill: `url(#${stripes})` } : {})}
          barChartProps={{
            onClick: ({ activeTooltipIndex }) => zoom(activeTooltipIndex),
            barCategoryGap: '18%',
          }}
          valueFormatter={shortNumber}
          tickLine="none"
          gridAxis="x"
          maxBarWidth={28}
          yAxisProps={{ width: 40, allowDecimals: false }}
          xAxisProps={{ minTickGap: 40 }}
          tooltipAnimationDuration={0}
          style={{ cursor: onZoom && stepMs > 60_000 ? 'zoom-in' : undefined }}
        >
          <defs>
            <pattern
              id={stripes}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="6" height="6" fill="var(--mantine-color-yellow-5)" />
              <rect width="2" height="6" fill="var(--mantine-color-yellow-8)" />
            </pattern>
          </defs>
        </BarChart>
      )}
    </Box>
  );
}

function Legend({ shown }: { shown: readonly (typeof kinds)[number][] }) {
  const classes = { accepted: 'fill-accepted', other: 'fill-rejected', rate_limited: 'fill-limited' };
  return (
    <Group gap="md">
      {shown.map(({ name, label }) => (
        <Group key={name} gap={6}>
          <Box w={10} h={10} className={classes[name]} style={{ borderRadius: 3 }} />
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function SeriesTable(props: { series: Series; shown: readonly (typeof kinds)[number][]; height: number }) {
  const { series, shown, height } = props;
  const filled = series.filter((point) => shown.some(({ name }) => point[name] > 0));
  return (
    <Box mah={height} style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label="Counts over time">
      <Table verticalSpacing={4} stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            {shown.map(({ name, label }) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {filled.map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{exactTime(point.at)}</Table.Td>
              {shown.map(({ name }) => (
                <Table.Td key={name}>{numberText(point[name])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndHour = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function labelOf(at: string, stepMs: number): string {
  return (stepMs >= dayMs ? day : dayAndHour).format(new Date(at));
}
