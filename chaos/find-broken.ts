import { join } from 'node:path';
import { table } from '../bench/report.ts';
import { type BrokenBuild, brokenBuilds } from './broken-builds.ts';
import { runScenario } from './run.ts';
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

/** How many tries it took to find a broken build; null when it was not found. */
interface Search {
  readonly build: BrokenBuild;
  readonly tries: number | null;
}

const usualSeconds = 4;
// Faults come at random moments, and not every one affects a lead.
const triesMax = 20;
// A broken build may never answer. Waiting longer proves nothing.
const finishSeconds = 2;

/** Checks that the comparison of ledger and database finds every build that is known to break a promise. */
export async function findBroken(options: SearchOptions): Promise<readonly Search[]> {
  const searches: Search[] = [];
  for (const build of options.builds) searches.push({ build, tries: await triesUntilFound(build, options) });
  return searches;
}

async function triesUntilFound(build: BrokenBuild, options: SearchOptions): Promise<number | null> {
  const dir = join(options.dir, `broken-${brokenBuilds.indexOf(build)}`);
  const scenario = scenarioNamed(build.scenario);
  const sourceDir = buildBroken(join(dir, 'source'), [...(scenario.substitutions ?? []), ...build.breakages]);
  for (let number = 1; number <= triesMax; number++) {
    options.onTry?.(build, number);
    const { findings } = await runScenario(scenario, {
      ...options,
      dir: join(dir, String(number)),
      seed: options.seed + number - 1,
      seconds: options.seconds ?? usualSeconds,
      sourceDir,
      finishSeconds,
    });
    if ((findings[build.finds]?.length ?? 0) > 0) return number;
  }
  return null;
}

export function formatSearches(searches: readonly Search[]): string {
  const rows = searches.map(({ build, tries }) => [
    `a build that ${build.name}`,
    build.scenario,
    build.finds,
    String(tries ?? triesMax),
    tries === null ? 'MISSED' : 'found',
  ]);
  return `${table([['broken build', 'scenario', 'finding', 'tries', 'verdict'], ...rows]).join('\n')}\n`;
}
