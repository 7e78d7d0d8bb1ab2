import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPages } from '../bench/pages.ts';
import { isInterrupted, undoAll, undoLater } from '../bench/undo.ts';
import { type BrokenBuild, brokenBuilds } from './broken-builds.ts';
import { keepEvidence, resultsDir } from './evidence.ts';
import { findBroken, formatSearches } from './find-broken.ts';
import { endWhenInterrupted } from './interruption.ts';
import type { Tally } from './load/order.ts';
import { type Options, readOptions, usage } from './options.ts';
import { formatResults, isEnough, verdictOf } from './report.ts';
import { type Result, runScenario } from './run.ts';
import type { Scenario } from './scenario.ts';
import { scenarioNamed } from './scenarios/all.ts';
import { findCitus, notInstalled } from './world/citus/installation.ts';
import { Postgres } from './world/postgres.ts';

/**
 * Checks that acknowledged leads are kept, whatever happens. A separate process sends leads and keeps a ledger of every
 * attempt, faults are injected, and in the end the ledger is compared with PostgreSQL.
 */
async function chaos(options: Options): Promise<boolean> {
  print(`Seed ${options.seed}, ${options.rate} leads per second.\n`);
  await buildPages();
  // In the source folder, not in /tmp: that is often in memory, where an fsync proves nothing.
  await mkdir(resultsDir, { recursive: true });
  const scratchDir = await mkdtemp(join(resultsDir, 'run-'));
  undoLater(() => rm(scratchDir, { recursive: true, force: true }));
  const postgres = await Postgres.create(scratchDir);
  return options.isBroken
    ? searchBroken(options, postgres, scratchDir)
    : runScenarios(options, postgres, scratchDir);
}

/** A harness that finds nothing is only credible if it finds known errors. */
async function searchBroken(options: Options, postgres: Postgres, dir: string): Promise<boolean> {
  const onTry = ({ name }: BrokenBuild, number: number) => status(`a build that ${name}: try ${number}`);
  const names = new Set(
    runnable(brokenBuilds.map(({ scenario }) => scenarioNamed(scenario))).map(({ name }) => name),
  );
  const builds = brokenBuilds.filter(({ scenario }) => names.has(scenario));
  const searches = await findBroken({ ...options, builds, postgres, dir, onTry });
  print(`\n${formatSearches(searches)}`);
  return searches.every(({ isFound }) => isFound);
}

async function runScenarios(options: Options, postgres: Postgres, scratchDir: string): Promise<boolean> {
  const results: Result[] = [];
  const next = async (scenario: Scenario) => {
    const seed = options.seed + results.length;
    const dir = join(scratchDir, String(results.length));
    results.push(await runOne(scenario, postgres, dir, { ...options, seed }));
  };
  for (const scenario of runnable(options.scenarios)) await next(scenario);
  const { repeated } = options;
  while (repeated !== null && !isEnough(results, repeated)) await next(repeated);
  print(`\n${formatResults(results)}`);
  return results.every((result) => verdictOf(result) === 'ok');
}

/** Those of a cluster need an installation. */
function runnable(scenarios: readonly Scenario[]): readonly Scenario[] {
  if (!scenarios.some(({ hasCluster }) => hasCluster) || findCitus() !== null) return scenarios;
  const left = scenarios.filter(({ hasCluster }) => !hasCluster);
  print(`Scenarios of a Citus cluster: ${notInstalled}\n`);
  return left;
}

async function runOne(
  scenario: Scenario,
  postgres: Postgres,
  dir: string,
  options: Options,
): Promise<Result> {
  const startedAt = Date.now();
  const onProgress = (tally: Tally, phase: string) => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    const { '202': accepted, '200': rejected, none, other } = tally;
    status(
      `${scenario.name} ${seconds} s, ${phase}: ${accepted} × 202, ${rejected} × 200, ${none} none, ${other} other`,
    );
  };
  const seconds = options.seconds ?? scenario.seconds;
  const result = await runScenario(scenario, { ...options, seconds, postgres, dir, onProgress });
  if (result.faults.length > 0)
    print(`\nThe ledger and the logs are in ${await keepEvidence(scenario.name, dir, options.seed)}\n`);
  status(`${scenario.name}: ${verdictOf(result)}`);
  print('\n');
  return result;
}

function print(text: string): void {
  process.stdout.write(text);
}

/** A line that is updated on a terminal. Elsewhere only its last state is printed. */
function status(text: string): void {
  if (process.stdout.isTTY) print(`\r\x1b[2K${text}`);
  else if (/: (?:ok|BELOW|BROKEN)$/.test(text)) print(text);
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  try {
    return (await chaos(options)) ? 0 : 1;
  } catch (error) {
    if (isInterrupted()) return 130;
    throw error;
  } finally {
    await undoAll();
  }
}

endWhenInterrupted();
// Open handles must not keep the process alive.
process.exit(await main());
