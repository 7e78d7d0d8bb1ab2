import { Box } from '@mantine/core';

interface DriftScaleProps {
  /** What it shows, in words. */
  readonly label: string;
  /** How many seconds it shows on either side; what is further off sits at its edge. */
  readonly half: number;
  /** How many seconds on either side are fine. */
  readonly allowed: number;
  /** How many are not fine, but not too many yet. */
  readonly warned?: number;
  readonly marks: readonly { readonly seconds: number; readonly isMinor?: boolean }[];
  readonly isOutside: boolean;
  /** The seconds that are written below, on either side. */
  readonly labels: readonly { readonly seconds: number; readonly text: string }[];
}

const edgePercent = 1.5;

/** How far a clock is off, on a scale with our time in the middle. */
export function DriftScale({ label, half, allowed, warned, marks, isOutside, labels }: DriftScaleProps) {
  const percentOf = (seconds: number) => 50 + (seconds / half) * 50;
  const inside = (percent: number) => Math.min(100 - edgePercent, Math.max(edgePercent, percent));
  const sides = labels.flatMap(({ seconds, text }) => [
    { seconds: -seconds, text: `−${text}` },
    { seconds, text: `+${text}` },
  ]);
  return (
    <>
      <Box className="drift" role="img" aria-label={label} data-outside={isOutside || undefined}>
        {warned !== undefined && (
          <span className="drift-warned" style={{ insetInline: `${percentOf(-warned)}%` }} />
        )}
        <span className="drift-allowed" style={{ insetInline: `${percentOf(-allowed)}%` }} />
        {marks.map(({ seconds, isMinor }) => (
          <span
            key={`${seconds} ${isMinor}`}
            className="drift-mark"
            data-minor={isMinor || undefined}
            style={{ left: `${inside(percentOf(seconds))}%` }}
          />
        ))}
      </Box>
      <Box className="drift-labels numbers" aria-hidden="true">
        {sides.map(({ seconds, text }) => (
          <span key={seconds} style={{ left: `${percentOf(seconds)}%` }}>
            {text}
          </span>
        ))}
      </Box>
    </>
  );
}
