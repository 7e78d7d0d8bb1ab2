import { Group, Text } from '@mantine/core';
import type { FormClockDrift } from '../../../../src/contract/alarms/watching.ts';
import { secondsText } from './drift-text.ts';

type Point = FormClockDrift['hours'][number];

const hourMs = 3_600_000;
const shownHours = 24;
const width = 240;
const height = 56;

interface DriftLineProps {
  readonly hours: readonly Point[];
  /** How many seconds it shows on either side. */
  readonly half: number;
  readonly limit: number;
}

/** The last day: the median as a line, and the 95th percentile dashed. */
export function DriftLine({ hours, half, limit }: DriftLineProps) {
  const from = Date.now() - shownHours * hourMs;
  const x = (at: string) => Math.max(0, ((Date.parse(at) - from) / (shownHours * hourMs)) * width);
  const y = (seconds: number) =>
    height / 2 - (Math.max(-half, Math.min(half, seconds)) / half) * (height / 2);
  const pathOf = (of: (point: Point) => number) =>
    hours
      .map((point, i) => {
        const before = hours[i - 1];
        // Nothing is drawn through hours without requests.
        const isNext = before !== undefined && Date.parse(point.at) - Date.parse(before.at) < 2 * hourMs;
        const step = `${x(point.at).toFixed(1)} ${y(of(point)).toFixed(1)}`;
        return isNext ? `L${step}` : `M${step}h0.1`;
      })
      .join('');
  return (
    <>
      <svg
        className="drift-line"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(hours)}
      >
        {[-limit, 0, limit].map((seconds) => (
          <line
            key={seconds}
            x1={0}
            x2={width}
            y1={y(seconds)}
            y2={y(seconds)}
            data-limit={seconds !== 0 || undefined}
          />
        ))}
        <path className="spark-line" d={pathOf(({ p95_seconds }) => p95_seconds)} data-line={1} />
        <path className="spark-line" d={pathOf(({ median_seconds }) => median_seconds)} />
      </svg>
      <Group justify="space-between" aria-hidden="true">
        <Text size="xs" c="dimmed">
          24 hours ago
        </Text>
        <Text size="xs" c="dimmed">
          now
        </Text>
      </Group>
    </>
  );
}

function summary(hours: readonly Point[]): string {
  const worst = hours.toSorted((one, other) => Math.abs(other.p95_seconds) - Math.abs(one.p95_seconds))[0];
  if (worst === undefined) return 'The last 24 hours: no requests.';
  return `The last 24 hours. Furthest off: 95th percentile ${secondsText(worst.p95_seconds)}.`;
}
