import { parseArgs } from 'node:util';

export interface Options {
  /** How many seeds, starting with `first`. */
  readonly seeds: number;
  readonly first: number;
  /** Runs only this seed and prints everything that happens. */
  readonly seed: number | null;
  /** Runs the builds that are broken on purpose instead. */
  readonly isBroken: boolean;
  /** Searches for a seed with this finding; null for any. */
  readonly finding: string | null;
  readonly workers: number;
  /** Searches for the shortest history when a seed breaks a promise. */
  readonly isShrinking: boolean;
}

const usualSeeds = '1000';
/** The hardest to find needs more than a thousand. */
const brokenSeeds = '5000';

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      first: { type: 'string', default: '1' },
      seed: { type: 'string' },
      broken: { type: 'boolean', default: false },
      finding: { type: 'string' },
      workers: { type: 'string', default: '2' },
      'no-shrink': { type: 'boolean', default: false },
    },
  });
  return {
    seeds: whole('seeds', values.seeds ?? (values.broken ? brokenSeeds : usualSeeds)),
    first: whole('first', values.first),
    seed: values.seed === undefined ? null : whole('seed', values.seed),
    isBroken: values.broken,
    finding: values.finding ?? null,
    workers: whole('workers', values.workers),
    isShrinking: !values['no-shrink'],
  };
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number from 1 on, not ${text}.`);
  return value;
}
