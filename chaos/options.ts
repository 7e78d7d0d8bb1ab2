import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Scenario } from './scenario.ts';
import { scenarioNamed, scenarios } from './scenarios/all.ts';

export interface Options {
  readonly scenarios: readonly Scenario[];
  /** Null: the default of each scenario, or of each try at a broken build. */
  readonly seconds: number | null;
  readonly rate: number;
  readonly seed: number;
  /** Repeats it until there is enough of everything; null: every scenario once. */
  readonly repeated: Scenario | null;
  /** Runs the broken builds instead of our own. */
  readonly isBroken: boolean;
}

export const usage = `npm run chaos -- [options]
  --scenario=<a,b>   only these: ${scenarios.map(({ name }) => name.replaceAll(' ', '-')).join(', ')}
  --seconds=<n>      how long the faults of each scenario go on; every scenario has a default
  --rate=<n>         leads per second (200)
  --seed=<n>         repeats the random choices of an earlier run
  --quick            ten seconds of faults per scenario at 100 leads per second
  --all              every scenario, then kills until 200,000 leads are acknowledged and 100 processes killed;
                     with --scenario=delivery, that one until 105,000 are acknowledged and 50 processes killed
  --broken           the builds of chaos/broken-builds.ts instead of ours, and whether each is found out;
                     four seconds of faults per try at 80 leads per second, with the same seeds every time
`;

const quickSeconds = 10;
const quickRate = 100;
const usualRate = 200;
const brokenRate = 80;
const brokenSeed = 1;

/** Throws an error with a message for the user when an option is invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: 'string' },
      seconds: { type: 'string' },
      rate: { type: 'string' },
      seed: { type: 'string' },
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      broken: { type: 'boolean', default: false },
    },
  });
  const { broken: isBroken, quick: isQuick, all: isAll } = values;
  if (isBroken && (isAll || isQuick || values.scenario !== undefined))
    throw new Error(
      '--broken goes with --seconds, --rate and --seed only: each broken build has its scenario',
    );
  const named = values.scenario?.split(',').map(scenarioNamed);
  return {
    scenarios: named ?? scenarios,
    seconds: positive(values.seconds) ?? (isQuick ? quickSeconds : null),
    rate: positive(values.rate) ?? (isBroken ? brokenRate : isQuick ? quickRate : usualRate),
    seed: positive(values.seed) ?? (isBroken ? brokenSeed : randomInt(1, 2 ** 31)),
    repeated: isAll ? repeatedOf(named ?? []) : null,
    isBroken,
  };
}

function repeatedOf(named: readonly Scenario[]): Scenario {
  return named.find(({ enough }) => enough !== undefined) ?? scenarioNamed('kill');
}

function positive(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`"${text}" is not a number above zero`);
  return number;
}
