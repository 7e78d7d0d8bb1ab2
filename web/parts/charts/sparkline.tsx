import { Box, Group, Text } from '@mantine/core';
import { exactTime } from '../time.tsx';

interface SparkPoint {
  readonly at: string;
  readonly value: number | null;
}

interface SparkLine {
  readonly label: string;
  readonly points: readonly SparkPoint[];
}

interface SparklineProps {
  readonly title: string;
  /** The second line, if any, is drawn dashed. */
  readonly lines: readonly SparkLine[];
  readonly from: number;
  readonly to: number;
  /** The top of the chart; by default its highest value. */
  readonly max?: number;
  text(value: number): string;
}

const height = 48;
const width = 240;

/** A small chart with the newest values in words. Its numbers are also in a table, which the page offers. */
export function Sparkline({ title, lines, from, to, max, text }: SparklineProps) {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const highest = Math.max(0, ...values);
  const top = max ?? (highest || 1);
  const x = (at: string) => ((Date.parse(at) - from) / (to - from)) * width;
  const y = (value: number) => height - 1 - (value / top) * (height - 3);
  return (
    <Box component="figure" m={0}>
      <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" component="figcaption">
          {title}
        </Text>
        <Text size="sm" fw={600} className="numbers" style={{ whiteSpace: 'nowrap' }}>
          {lines.map(({ points }) => newestText(points, text)).join(' / ')}
        </Text>
      </Group>
      <svg
        className="spark-chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(title, lines, text)}
      >
        {lines.map(({ label, points }, index) => (
          <path key={label} className="spark-line" d={pathOf(points, x, y)} data-line={index} />
        ))}
      </svg>
      <Text size="xs" c="dimmed" className="numbers">
        {values.length === 0 ? 'No data yet' : `Highest ${text(highest)}`}
      </Text>
    </Box>
  );
}

/** Nothing is drawn where nothing is known. */
function pathOf(
  points: readonly SparkPoint[],
  x: (at: string) => number,
  y: (value: number) => number,
): string {
  let isDrawing = false;
  return points
    .map(({ at, value }) => {
      const step = value === null ? '' : `${isDrawing ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      // A single point is a dot as wide as the line.
      const dot = step.startsWith('M') ? 'h0.1' : '';
      isDrawing = value !== null;
      return step + dot;
    })
    .join('');
}

function newestText(points: readonly SparkPoint[], text: (value: number) => string): string {
  const newest = points.at(-1)?.value ?? null;
  return newest === null ? '–' : text(newest);
}

/** What the line looks like, in a sentence. */
function summary(title: string, lines: readonly SparkLine[], text: (value: number) => string): string {
  const parts = lines.map(({ label, points }) => {
    const known = points.filter((point) => point.value !== null);
    const highest = known.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))[0];
    if (highest === undefined) return `${label}: no data yet`;
    const peak = `highest ${text(highest.value ?? 0)} at ${exactTime(highest.at)}`;
    return `${label}: newest ${newestText(points, text)}, ${peak}`;
  });
  return `${title}. ${parts.join('; ')}.`;
}
