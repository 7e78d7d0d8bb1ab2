import { profiles } from './profiles.ts';
import { type CellName, rules, runCell, volumes, weathers } from './table.ts';

/*
 * How often the rule of silence would be wrong, and how long it would take: npm run simulate:alarms. Each line is a rule, a weather
 * and a profile; each cell the false alarms per source and quarter, and the hours from a cut to the alarm, median and 90 %.
 */

const runsOf = (volume: number) => (volume >= 3_000 ? 6 : 20);
const cutsOf = (volume: number) => (volume >= 3_000 ? 70 : 20);

function keysOf<Key extends string>(of: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(of) as Key[];
}

print(['rule', 'weather', 'profile', ...volumes.map((volume) => `${volume}/week`)].join(' | '));
const [only] = process.argv.slice(2);
for (const rule of keysOf(rules).filter((name) => only === undefined || name === only))
  for (const weather of keysOf(weathers))
    for (const profile of keysOf(profiles)) {
      const cells = volumes.map((volume) => textOf({ rule, weather, profile, volume }));
      print([rule, weather, profile, ...cells].join(' | '));
    }

function textOf(cell: CellName): string {
  const { falseAlarms, medianHours, p90Hours, missed } = runCell(
    cell,
    runsOf(cell.volume),
    cutsOf(cell.volume),
  );
  const lost = missed === 0 ? '' : `; ${missed} missed`;
  return `${falseAlarms.toFixed(2)}; ${medianHours.toFixed(1)}/${p90Hours.toFixed(1)} h${lost}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
