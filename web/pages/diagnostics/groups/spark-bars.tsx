import { numberText } from '../../../parts/numbers.ts';
import { exactTime } from '../../../parts/time.tsx';

interface SparkBarsProps {
  readonly counts: readonly number[];
  /** The start of the first bar. */
  readonly from: string;
  readonly stepSeconds: number;
  readonly isLimit: boolean;
}

const width = 120;
const height = 24;

/** A number per step as bars, without axes: when it happened, not how often. In words for people who cannot see it. */
export function SparkBars({ counts, from, stepSeconds, isLimit }: SparkBarsProps) {
  const most = Math.max(1, ...counts);
  const each = width / counts.length;
  const place = counts.indexOf(most);
  const at = new Date(Date.parse(from) + place * stepSeconds * 1000).toISOString();
  return (
    <svg
      className="spark-bars"
      data-limit={isLimit || undefined}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={place === -1 ? 'Distribution over time' : `Most at ${exactTime(at)}: ${numberText(most)}`}
    >
      <path d={counts.map((count, step) => barOf(step * each, each, (count / most) * height)).join('')} />
    </svg>
  );
}

/** A single one can still be seen. */
function barOf(x: number, each: number, tall: number): string {
  if (tall === 0) return '';
  const [w, h] = [Math.max(0.8, each * 0.8), Math.max(2, tall)];
  return `M${x.toFixed(2)} ${height}v${(-h).toFixed(1)}h${w.toFixed(2)}v${h.toFixed(1)}z`;
}
