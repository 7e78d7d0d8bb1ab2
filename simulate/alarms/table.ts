import type { Weather } from './arrivals.ts';
import { type Judge, plainRule, quarters, sensitiveRule, simulate, usualRule } from './history.ts';
import { profiles } from './profiles.ts';

export const weathers = {
  changing: { daySigma: 0.45, holidays: 0.03 },
  steady: { daySigma: 0.2, holidays: 0 },
} satisfies Record<string, Weather>;

export const volumes = [10, 50, 300, 3_000] as const;
export const rules = { plain: plainRule, usual: usualRule, sensitive: sensitiveRule } satisfies Record<
  string,
  Judge
>;

export type ProfileName = keyof typeof profiles;
export type WeatherName = keyof typeof weathers;
type RuleName = keyof typeof rules;
export type Volume = (typeof volumes)[number];

export interface CellResult {
  /** Per source and quarter. */
  readonly falseAlarms: number;
  readonly medianHours: number;
  readonly p90Hours: number;
  readonly missed: number;
}

export interface CellName {
  readonly rule: RuleName;
  readonly weather: WeatherName;
  readonly profile: ProfileName;
  readonly volume: Volume;
}

/** Runs of fixed seeds, different in each cell. */
export function runCell({ rule, weather, profile, volume }: CellName, runs: number, cuts = 20): CellResult {
  const cell = { perWeek: volume, profile: profiles[profile], weather: weathers[weather] };
  const done = Array.from({ length: runs }, (_, run) =>
    simulate(seedOf(volume, run), cell, rules[rule], cuts),
  );
  const delays = done.flatMap(({ delayHours }) => delayHours).toSorted((a, b) => a - b);
  const at = (part: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? Number.NaN;
  const sum = (of: (run: (typeof done)[number]) => number) => done.reduce((total, run) => total + of(run), 0);
  return {
    falseAlarms: sum((run) => run.falseAlarms) / runs / quarters,
    medianHours: at(0.5),
    p90Hours: at(0.9),
    missed: sum((run) => run.missed),
  };
}

function seedOf(volume: number, run: number): number {
  return volume * 7_919 + run * 104_729;
}
