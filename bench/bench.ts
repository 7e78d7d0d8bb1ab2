import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Options, readOptions, type TargetName, usage } from './options.ts';
import { buildPages } from './pages.ts';
import { formatCount, formatReport, isGood, makeReport, writeReport } from './report.ts';
import { type Run, runStep, type Step } from './step.ts';
import { runAndUndo, undoLater } from './undo.ts';

/**
 * Compares the service with a bare echo server and with an implementation that uses one transaction per request, under
 * the same load. Only ratios within one run are meaningful.
 */
const resultsDir = join(import.meta.dirname, 'results');

// The speed of a shared machine varies by the minute, so the echo runs before and after the others.
const order: readonly TargetName[] = ['echo', 'textbook', 'bad token', 'rejected', 'held', 'service', 'echo'];

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
    const service = runs.find(
      ({ target, connections }) => target === 'service' && connections === step.connections,
    );
    const run = await runStep(step, { ...options, scratchDir }, service?.figures.rate ?? null);
    print(`${formatCount(run.figures.rate)}/s${run.errors.map((error) => `  INVALID: ${error}`).join('')}\n`);
    runs.push(run);
  }
  const report = makeReport(runs);
  const path = await writeReport(resultsDir, report, runs, options);
  print(`\n${formatReport(report)}\nWritten to ${path}\n`);
  return isGood(report);
}

/** In the results folder, not in /tmp: that is often in memory, where an fsync costs nothing. */
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
