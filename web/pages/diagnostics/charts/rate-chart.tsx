import { Box, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Diagnostics } from '../../../../src/contract/diagnostics.ts';
import { percentText } from '../../../parts/numbers.ts';
import { exactTime } from '../../../parts/time.tsx';

type Series = Diagnostics['series'];

interface RatePoint {
  readonly at: string;
  /** Null where nothing was sent. */
  readonly rate: number | null;
}

const width = 600;
const height = 120;
const levels = [0, 0.5, 1];

/** The share of submissions that was accepted, as a line over the same time as the bars. */
export function RateChart({ series }: { series: Series }) {
  const [isTable, setTable] = useState(false);
  const points = series.map(rateOf);
  return (
    <Box component="section" aria-label="Acceptance rate">
      <Group justify="space-between" mb="xs">
        <Text size="xs" c="dimmed">
          Acceptance rate
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show rate as chart' : 'Show rate as table'}
        </Button>
      </Group>
      {isTable ? <RateTable points={points} /> : <Line points={points} />}
    </Box>
  );
}

function rateOf({ at, accepted, other, rate_limited }: Series[number]): RatePoint {
  const all = accepted + other + rate_limited;
  return { at, rate: all === 0 ? null : accepted / all };
}

function Line({ points }: { points: readonly RatePoint[] }) {
  const y = (rate: number) => height - 2 - rate * (height - 4);
  const each = width / points.length;
  return (
    <Box className="rate-chart">
      {levels.map((level) => (
        <span key={level} className="numbers" style={{ bottom: `${level * 100}%` }} aria-hidden>
          {percentText(level)}
        </span>
      ))}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summaryOf(points)}
      >
        {levels.map((level) => (
          <path key={level} className="rate-level" d={`M0 ${y(level)}H${width}`} />
        ))}
        <path className="spark-line" d={pathOf(points, each, y)} />
      </svg>
    </Box>
  );
}

/** Through the middle of each bar; nothing is drawn where nothing was sent. */
function pathOf(points: readonly RatePoint[], each: number, y: (rate: number) => number): string {
  let isDrawing = false;
  return points
    .map(({ rate }, place) => {
      if (rate === null) {
        isDrawing = false;
        return '';
      }
      const to = `${((place + 0.5) * each).toFixed(1)} ${y(rate).toFixed(1)}`;
      const step = isDrawing ? `L${to}` : `M${to}h0.1`;
      isDrawing = true;
      return step;
    })
    .join('');
}

function summaryOf(points: readonly RatePoint[]): string {
  const known = points.filter((point) => point.rate !== null);
  const lowest = known.toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0))[0];
  if (lowest === undefined) return 'Acceptance rate: nothing was sent.';
  return `Acceptance rate: lowest ${percentText(lowest.rate ?? 0)} at ${exactTime(lowest.at)}.`;
}

function RateTable({ points }: { points: readonly RatePoint[] }) {
  return (
    <Box
      mah={height}
      style={{ overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Acceptance over time"
    >
      <Table verticalSpacing={4} stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th>Accepted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map(
            ({ at, rate }) =>
              rate !== null && (
                <Table.Tr key={at}>
                  <Table.Td>{exactTime(at)}</Table.Td>
                  <Table.Td>{percentText(rate)}</Table.Td>
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
