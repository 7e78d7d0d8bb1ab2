import './bars.css';
import { Box, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type MouseEvent, useState } from 'react';
import { shortNumber } from '../numbers.ts';
import { levelsOf } from './levels.ts';

/** A part of each bar, from the bottom up. */
interface BarPart {
  readonly name: string;
  readonly label: string;
  /** The class that fills it. */
  readonly fill: string;
}

interface Bar {
  readonly at: string;
  readonly label: string;
  readonly values: readonly number[];
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly parts: readonly BarPart[];
  readonly height: number;
  readonly selected: readonly [first: number, last: number] | null;
  onPress(bar: number): void;
  onMove(bar: number): void;
}

const labelPixels = 92;

/** Stacked bars over time. The chart library that could draw them weighs more than the rest of a page. */
export function Bars({ bars, parts, height, selected, onPress, onMove }: BarsProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number | null>(null);
  const levels = levelsOf(Math.max(0, ...bars.map(({ values }) => sumOf(values))));
  const top = levels.at(-1) ?? 1;
  const barAt = ({ clientX, currentTarget }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const bar = Math.floor(((clientX - left) / width) * bars.length);
    return Math.min(bars.length - 1, Math.max(0, bar));
  };
  const move = (event: MouseEvent) => {
    const bar = barAt(event);
    setPointed(bar);
    onMove(bar);
  };
  return (
    <div className="bars" style={{ height }} aria-hidden>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is around the chart works with the keyboard. */}
      <div
        ref={ref}
        className="bars-plot"
        onMouseDown={(event) => onPress(barAt(event))}
        onMouseMove={move}
        onMouseLeave={() => setPointed(null)}
      >
        {levels.map((level) => (
          <div key={level} className="bars-line" style={{ bottom: `${(level / top) * 100}%` }}>
            <span className="numbers">{shortNumber(level)}</span>
          </div>
        ))}
        {bars.map((bar, place) => (
          <BarOf key={bar.at} bar={bar} parts={parts} top={top} isPointed={place === pointed} />
        ))}
        <Times bars={bars} width={width} />
        {selected && <Selected selected={selected} count={bars.length} />}
        {pointed !== null && <Tip bars={bars} parts={parts} place={pointed} />}
      </div>
    </div>
  );
}

function BarOf(props: { bar: Bar; parts: readonly BarPart[]; top: number; isPointed: boolean }) {
  const { bar, parts, top, isPointed } = props;
  return (
    <div className="bars-bar" data-pointed={isPointed || undefined}>
      {parts.map(({ name, fill }, part) => {
        const value = bar.values[part] ?? 0;
        const share = `${(value / top) * 100}%`;
        return (
          <span key={name} className={fill} data-none={value === 0 || undefined} style={{ height: share }} />
        );
      })}
    </div>
  );
}

/** As many as fit, each below its bar, and none beyond the edges. */
function Times({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, Math.floor(width / labelPixels))));
  const places = [...bars.keys()].filter((place) => place % every === Math.floor(every / 2));
  if (width === 0) return null;
  return places.map((place) => (
    <span key={place} className="bars-time" style={{ left: `${((place + 0.5) / bars.length) * 100}%` }}>
      {bars[place]?.label}
    </span>
  ));
}

function Selected({
  selected: [first, last],
  count,
}: {
  selected: readonly [number, number];
  count: number;
}) {
  const [left, width] = [first / count, (last - first + 1) / count];
  return <div className="zoom-area" style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />;
}

/** Beside the bar, on the side where there is space. */
function Tip({ bars, parts, place }: { bars: readonly Bar[]; parts: readonly BarPart[]; place: number }) {
  const bar = bars[place];
  const isRight = place >= bars.length / 2;
  const side = isRight
    ? { right: `${((bars.length - place) / bars.length) * 100}%` }
    : { left: `${((place + 1) / bars.length) * 100}%` };
  return (
    <div className="bars-tip" style={side}>
      <Text size="sm" fw={560} mb={2}>
        {bar?.label}
      </Text>
      {parts.map(({ name, label, fill }, part) => (
        <Group key={name} justify="space-between" gap="lg" wrap="nowrap">
          <Group gap={6} wrap="nowrap">
            <Box w={10} h={10} className={fill} style={{ borderRadius: 3 }} />
            {label}
          </Group>
          <span className="numbers">{shortNumber(bar?.values[part] ?? 0)}</span>
        </Group>
      ))}
    </div>
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
