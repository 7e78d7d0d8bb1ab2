const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const hours = 24;
const cell = { width: 10, height: 10, gap: 1.5 };
const labelWidth = 28;
const axisHeight = 14;
const marks = [0, 6, 12, 18];
/** So that an hour with few leads differs from one with none. */
const faintest = 0.08;

const xOf = (hour: number) => labelWidth + hour * (cell.width + cell.gap);
const yOf = (day: number) => day * (cell.height + cell.gap);
const width = xOf(hours);
const height = yOf(days.length) + axisHeight;

/** The hours of a week, darker where more leads are expected. */
export function WeekStrip({ expected }: { expected: readonly number[] }) {
  const highest = Math.max(...expected);
  if (highest <= 0) return null;
  return (
    <svg className="week" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary(expected)}>
      {days.map((day, index) => (
        <text key={day} x={0} y={yOf(index) + cell.height - 1}>
          {day.slice(0, 3)}
        </text>
      ))}
      {expected.map((count, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour of the week.
          key={index}
          x={xOf(index % hours)}
          y={yOf(Math.floor(index / hours))}
          width={cell.width}
          height={cell.height}
          rx={1.5}
          fillOpacity={faintest + (1 - faintest) * (count / highest)}
        />
      ))}
      {marks.map((hour) => (
        <text key={hour} x={xOf(hour)} y={height - 2}>
          {hour}:00
        </text>
      ))}
    </svg>
  );
}

function summary(expected: readonly number[]): string {
  const busiest = expected.indexOf(Math.max(...expected));
  return `When leads usually come. Most come on ${days[Math.floor(busiest / hours)]} around ${busiest % hours}:00.`;
}
