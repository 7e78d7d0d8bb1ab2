import { join } from 'node:path';
import { table } from '../bench/report.ts';
import { type BrokenBuild, brokenBuilds } from './broken-builds.ts';
import { faultsOf } from './check/check.ts';
import { type Result, runScenario } from './run.ts';
import { scenarioNamed } from './scenarios/all.ts';
import { buildBroken } from './world/broken-build.ts';
import type { Postgres } from './world/postgres.ts';

export interface SearchOptions {
  readonly builds: readonly BrokenBuild[];
  readonly postgres: Postgres;
  /** For the builds and the files of each run. */
  readonly dir: string;
  /** The seed of the first try of every build. Each further try uses the next one. */
  readonly seed: number;
  readonly rate: number;
  /** How long faults are injected per try; null for the default. */
  readonly seconds: number | null;
  readonly onTry?: (build: BrokenBuild, number: number) => void;
}

interface Search {
  readonly build: BrokenBuild;
  readonly tries: number;
  readonly isFound: boolean;
  /** What tries found that the build should not cause. */
  readonly others: readonly string[];
}

const usualSeconds = 4;
// Faults come at random moments, and not every one affects a lead.
const triesMax = 20;
// Once may be the machine; more often it is the build.
const otherTriesMax = 3;
// A broken build may never answer. Waiting longer proves nothing.
const finishSeconds = 2;
const quietMsMax = 30_000;

/**
 * Checks that the comparison of ledger and database finds every build that is known to break a promise, and by that promise:
 * a try in which anything else goes wrong does not count.
 */
export async function findBroken(options: SearchOptions): Promise<readonly Search[]> {
  const searches: Search[] = [];
  for (const build of options.builds) searches.push(await search(build, options));
  return searches;
}

async function search(build: BrokenBuild, options: SearchOptions): Promise<Search> {
  const dir = join(options.dir, `broken-${brokenBuilds.indexOf(build)}`);
  const scenario = scenarioNamed(build.scenario);
  const sourceDir = buildBroken(join(dir, 'source'), [...(scenario.substitutions ?? []), ...build.breakages]);
  const others: string[] = [];
  for (let tries = 1; ; tries++) {
    options.onTry?.(build, tries);
    const result = await runScenario(scenario, {
      ...options,
      dir: join(dir, String(tries)),
      seed: options.seed + tries - 1,
      seconds: options.seconds ?? usualSeconds,
      sourceDir,
      finishSeconds,
      quietMsMax,
    });
    const other = othersIn(result, build);
    if (other.length > 0) others.push(`try ${tries}: ${other.join('; ')}`);
    const isFound = other.length === 0 && (result.findings[build.finds]?.length ?? 0) > 0;
    if (isFound || tries === triesMax || others.length === otherTriesMax)
      return { build, tries, isFound, others };
  }
}

/** Everything but the promises that the build breaks. */
export function othersIn(
  { findings, troubles }: Pick<Result, 'findings' | 'troubles'>,
  { finds, also = [] }: Pick<BrokenBuild, 'finds' | 'also'>,
): string[] {
  const expected = new Set<string>([finds, ...also]);
  const others = Object.entries(findings).filter(([kind]) => !expected.has(kind));
  return [...faultsOf(Object.fromEntries(others)), ...troubles];
}

export function formatSearches(searches: readonly Search[]): string {
  const rows = searches.map(({ build, tries, isFound }) => [
    `a build that ${build.name}`,
    build.scenario,
    build.finds,
    String(tries),
    isFound ? 'found' : 'MISSED',
  ]);
  const others = searches.flatMap(({ build, others }) =>
    others.map((other) => `also in a build that ${build.name}, ${other}`),
  );
  const lines = table([['broken build', 'scenario', 'finding', 'tries', 'verdict'], ...rows]);
  return `${[...lines, ...others].join('\n')}\n`;
}
