import { Box, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { exactTime, shownZone } from '../time.tsx';
import { Bars } from './bars.tsx';
import { SeriesTable } from './series-table.tsx';
import { useZoom } from './use-zoom.ts';

type Series = Diagnostics['series'];

const kinds = [
  { name: 'accepted', label: 'Accepted', fill: 'fill-accepted' },
  { name: 'other', label: 'Rejected', fill: 'fill-rejected' },
  { name: 'rate_limited', label: 'Rate limited', fill: 'fill-limited' },
] as const;

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface OutcomeChartProps {
  readonly series: Series;
  readonly shows?: readonly string[];
  readonly height?: number;
  readonly zoom: ChartZoom;
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
          {zoom.isZoomed && (
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
      ) : (
        <ZoomableBars series={series} shown={shown} height={height} zoom={zoom} />
      )}
    </Box>
  );
}

interface ZoomableBarsProps {
  readonly zoom: ChartZoom;
  readonly series: Series;
  readonly shown: readonly (typeof kinds)[number][];
  readonly height: number;
}

function ZoomableBars({ zoom, series, shown, height }: ZoomableBarsProps) {
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
  const labels = labelFormat(stepMs);
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
          bars={series.map((point) => ({
            at: point.at,
            label: labels.format(new Date(point.at)),
            values: shown.map(({ name }) => point[name]),
          }))}
          parts={shown}
          height={height}
          selected={isSelecting ? [first, last] : null}
          onPress={begin}
          onMove={move}
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

function Legend({ shown }: { shown: readonly (typeof kinds)[number][] }) {
  return (
    <Group gap="md">
      {shown.map(({ name, label, fill }) => (
        <Group key={name} gap={6}>
          <Box w={10} h={10} className={fill} style={{ borderRadius: 3 }} />
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

function labelFormat(stepMs: number): Intl.DateTimeFormat {
  const hour = stepMs >= dayMs ? {} : ({ hour: '2-digit', minute: '2-digit' } as const);
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...hour,
    timeZone: shownZone(),
  });
}
