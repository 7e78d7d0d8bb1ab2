import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Options, readOptions, type TargetName, usage } from './options.ts';
import { buildPages } from './pages.ts';
import { formatCount, formatReport, isGood, makeReport, writeReport } from './report.ts';
import { type Run, runStep, type Step } from './step.ts';
import { runAndUndo, undoLater } from './undo.ts';

/**
 * How fast the service is, as a share of what else this machine does with the same requests: a bare echo, and
 * an implementation with one transaction per request. Only ratios of one run mean anything.
 */
const resultsDir = join(import.meta.dirname, 'results');

// A shared machine gets faster and slower by the minute; an echo before and after tells what the middle had.
const order: readonly TargetName[] = ['echo', 'textbook', 'bad token', 'service', 'echo'];

async function bench(options: Options): Promise<boolean> {
  await buildPages();
  const scratchDir = await makeScratchDir();
  const steps = options.connections.flatMap((connections) =>
    order.filter((target) => options.only.includes(target)).map((target) => ({ target, connections })),
  );
  print(`Load from ${options.generator}, ${options.measuredSeconds} s per run.\n`);
  const runs: Run[] = [];
  for (const [index, step] of steps.entries()) {
    print(`${index + 1}/${steps.length} ${describe(step)} … `);
    const run = await runStep(step, { ...options, scratchDir });
    print(`${formatCount(run.figures.rate)}/s${run.faults.map((fault) => `  INVALID: ${fault}`).join('')}\n`);
    runs.push(run);
  }
  const report = makeReport(runs);
  const path = await writeReport(resultsDir, report, runs, options);
  print(`\n${formatReport(report)}\nWritten to ${path}\n`);
  return isGood(report);
}

/** Beside the results, not in /tmp: there a disk is often memory, and an fsync would cost nothing. */
async function makeScratchDir(): Promise<string> {
  await mkdir(resultsDir, { recursive: true });
  const path = await mkdtemp(join(resultsDir, 'scratch-'));
  undoLater(() => rm(path, { recursive: true, force: true }));
  return path;
}

function describe({ target, connections }: Step): string {
  return `${target}, ${connections} connections`;
}

function print(text: string): void {
  process.stdout.write(text);
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  return runAndUndo(() => bench(options));
}

process.exitCode = await main();
