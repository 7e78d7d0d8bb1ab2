import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuOf, memoryOf, nodeChildrenOf } from './cpu.ts';
import { generators, preferredGenerator } from './load/generator.ts';
import { buildPages } from './pages.ts';
import { formatCount, table } from './report.ts';
import { startService } from './targets/targets.ts';
import { runAndUndo, undoLater } from './undo.ts';

/**
 * Compares numbers of workers under the same load, one after the other and several times, because the speed of a shared
 * machine varies by the minute. The processor time per lead says what more cores would give.
 */
interface Measured {
  readonly workers: number;
  readonly rate: number;
  readonly p99Ms: number;
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  readonly memory: readonly number[];
}

const resultsDir = join(import.meta.dirname, 'results');
const warmUpSeconds = 3;

interface Options {
  readonly counts: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

async function measure(
  workers: number,
  { seconds, connections }: Options,
  scratchDir: string,
): Promise<Measured> {
  const target = await startService(scratchDir, { WORKERS: String(workers) });
  const { port, tokens, pid } = target;
  const load = (during: number) =>
    generators[preferredGenerator()](
      { port, tokens, connections, seconds: during, runId: randomBytes(6).toString('hex') },
      scratchDir,
    );
  const warmUp = await load(warmUpSeconds);
  const before = cpuOf(pid);
  const { rate, requests, p99Ms, failures } = await load(seconds);
  const after = cpuOf(pid);
  const memory = memoryOf(workers === 1 ? [pid] : [pid, ...nodeChildrenOf(pid)]);
  const kept = await target.finish();
  const answered = warmUp.requests + requests;
  if (failures > 0 || (kept?.leads ?? 0) < answered)
    throw new Error(`${failures} failures; ${answered} responses, ${kept?.leads} leads stored`);
  const micros = (part: 'node' | 'postgres') => ((after[part] - before[part]) * 1e6) / requests;
  return { workers, rate, p99Ms, nodeMicros: micros('node'), postgresMicros: micros('postgres'), memory };
}

async function bench(options: Options): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const scratchDir = await mkdtemp(join(resultsDir, 'scratch-'));
  undoLater(() => rm(scratchDir, { recursive: true, force: true }));
  const all: Measured[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const workers of options.counts) {
      const measured = await measure(workers, options, scratchDir);
      print(`${lineOf(measured).join('  ')}\n`);
      all.push(measured);
    }
  }
  const medians = options.counts.map((workers) => medianOf(all.filter((one) => one.workers === workers)));
  const head = ['workers', 'leads/s', '÷ first', 'p99 ms', 'Node µs', 'PostgreSQL µs', 'memory MB'];
  const rows = medians.map((median) => lineOf(median, median.rate / (medians[0]?.rate ?? 1)));
  print(`\nMedians of ${options.rounds}:\n${table([head, ...rows]).join('\n')}\n`);
  return true;
}

function medianOf(runs: readonly Measured[]): Measured {
  const median = (value: (run: Measured) => number) =>
    runs.map(value).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0;
  return {
    ...(runs.at(-1) as Measured),
    rate: median(({ rate }) => rate),
    p99Ms: median(({ p99Ms }) => p99Ms),
    nodeMicros: median(({ nodeMicros }) => nodeMicros),
    postgresMicros: median(({ postgresMicros }) => postgresMicros),
  };
}

function lineOf({ workers, rate, p99Ms, nodeMicros, postgresMicros, memory }: Measured, ratio = 0): string[] {
  return [
    String(workers),
    formatCount(rate),
    ratio === 0 ? '' : ratio.toFixed(2),
    p99Ms.toFixed(0),
    nodeMicros.toFixed(0),
    postgresMicros.toFixed(0),
    memory.join(' + '),
  ];
}

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
  },
});
const options = {
  counts: values.workers.split(',').map(Number),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
};
if ([...options.counts, options.rounds, options.seconds, options.connections].every((count) => count >= 1)) {
  process.exitCode = await runAndUndo(() => bench(options));
} else {
  process.stderr.write(
    'npm run bench:workers -- [--workers=1,2] [--rounds=5] [--seconds=8] [--connections=256]\n',
  );
  process.exitCode = 2;
}
