import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { Box, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { ReferenceArea } from 'recharts';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { shortNumber } from '../numbers.ts';
import { exactTime } from '../time.tsx';
import { SeriesTable } from './series-table.tsx';
import { useZoom } from './use-zoom.ts';

type Series = Diagnostics['series'];

const kinds = [
  { name: 'accepted', label: 'Accepted', color: 'teal.6' },
  { name: 'other', label: 'Rejected', color: 'red.6' },
  { name: 'rate_limited', label: 'Rate limited', color: 'yellow.6' },
] as const;

const stripes = 'limited-stripes';
const minuteMs = 60_000;
const dayMs = 86_400_000;

interface OutcomeChartProps {
  readonly series: Series;
  readonly shows?: readonly string[];
  readonly height?: number;
  /** Without it the chart cannot be zoomed. */
  readonly zoom?: ChartZoom;
}

interface ChartZoom {
  /** What selecting does, if it does not zoom in here. */
  readonly hint?: string;
  readonly isZoomed: boolean;
  onZoom(from: string, to: string): void;
  onReset(): void;
}

/** Outcomes over time. Rate limits are striped, and a table has the same numbers for people who cannot see the chart. */
export function OutcomeChart({ series, shows, height = 200, zoom }: OutcomeChartProps) {
  const [isTable, setTable] = useState(false);
  const shown = kinds.filter(({ name }) => shows?.includes(name) ?? true);
  return (
    <Box>
      <Group justify="space-between" mb="xs">
        <Legend shown={shown} />
        <Group gap={4}>
          {zoom?.isZoomed && (
            <Button size="compact-xs" variant="light" onClick={zoom.onReset}>
              Reset zoom
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </Group>
      </Group>
      {isTable ? (
        <SeriesTable series={series} shown={shown} height={height} />
      ) : zoom === undefined ? (
        <Bars series={series} shown={shown} height={height} />
      ) : (
        <ZoomableBars series={series} shown={shown} height={height} zoom={zoom} />
      )}
    </Box>
  );
}

interface BarsProps {
  readonly series: Series;
  readonly shown: readonly (typeof kinds)[number][];
  readonly height: number;
}

function ZoomableBars({ zoom, ...bars }: BarsProps & { zoom: ChartZoom }) {
  const { series } = bars;
  const stepMs = stepOf(series);
  const endOf = (bar: number) => new Date(Date.parse(series[bar]?.at ?? '') + stepMs).toISOString();
  const { first, last, begin, move, onKeyDown } = useZoom({
    bars: series.length,
    onZoom(from, to) {
      // A minute is the smallest step.
      if (from < to || stepMs > minuteMs) zoom.onZoom(series[from]?.at ?? '', endOf(to));
    },
    onReset: zoom.onReset,
  });
  const isSelecting = first !== null && last !== null;
  return (
    <>
      <Box
        role="group"
        tabIndex={0}
        className="zoomable"
        aria-label="Chart over time. Use the arrow keys to select a bar, with Shift to select several. Press Enter to zoom in, Escape to zoom out."
        onKeyDown={onKeyDown}
      >
        <Bars
          {...bars}
          selected={isSelecting ? [first, last] : null}
          mouse={{
            accessibilityLayer: false,
            // With throttling, a press or release could count for a bar that the mouse has already left.
            throttledEvents: [],
            onMouseDown: ({ activeTooltipIndex: bar }) => bar != null && begin(Number(bar)),
            onMouseMove: ({ activeTooltipIndex: bar }) => bar != null && move(Number(bar)),
          }}
        />
      </Box>
      <VisuallyHidden aria-live="polite">
        {isSelecting ? `${exactTime(series[first]?.at ?? '')} to ${exactTime(endOf(last))}` : ''}
      </VisuallyHidden>
      <Text size="xs" c="dimmed" mt={4} visibleFrom="sm">
        {isSelecting
          ? `${exactTime(series[first]?.at ?? '')} to ${exactTime(endOf(last))}`
          : (zoom.hint ?? 'Drag across the bars to zoom in.')}
      </Text>
    </>
  );
}

interface MouseProps {
  readonly accessibilityLayer: boolean;
  readonly throttledEvents: [];
  onMouseDown(state: { activeTooltipIndex?: unknown }): void;
  onMouseMove(state: { activeTooltipIndex?: unknown }): void;
}

function Bars(
  props: BarsProps & { selected?: readonly [first: number, last: number] | null; mouse?: MouseProps },
) {
  const { series, shown, height, selected, mouse } = props;
  const stepMs = stepOf(series);
  const data = series.map((point) => ({ ...point, label: labelOf(point.at, stepMs) }));
  const [from, to] = selected?.map((bar) => data[bar]?.label) ?? [];
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="label"
      type="stacked"
      series={shown.map(({ name, label, color }) => ({ name, label, color }))}
      barProps={({ name }) => (name === 'rate_limited' ? { fill: `url(#${stripes})` } : {})}
      barChartProps={{ barCategoryGap: '18%', ...mouse }}
      valueFormatter={shortNumber}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={28}
      yAxisProps={{ width: 40, allowDecimals: false }}
      xAxisProps={{ minTickGap: 40 }}
      tooltipAnimationDuration={0}
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
      {from !== undefined && to !== undefined && (
        <ReferenceArea x1={from} x2={to} className="zoom-area" ifOverflow="visible" />
      )}
    </BarChart>
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

function stepOf(series: Series): number {
  const step = Date.parse(series[1]?.at ?? '') - Date.parse(series[0]?.at ?? '');
  return Number.isNaN(step) ? minuteMs : step;
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
