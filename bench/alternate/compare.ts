import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CpuSeconds } from '../cpu.ts';
import type { Kept } from '../kept.ts';
import { generators, preferredGenerator } from '../load/generator.ts';
import { median } from '../median.ts';
import { buildPages } from '../pages.ts';
import { formatCount, table } from '../report.ts';
import { undoLater } from '../undo.ts';

/** A service under load, and what it and its database servers have used. */
export interface Measurable {
  readonly port: number;
  readonly tokens: readonly string[];
  cpu(): CpuSeconds;
  /** In megabytes, of each process. */
  memory(): readonly number[];
  /** Stops it, then counts what it stored. */
  finish(): Promise<Kept | null>;
}

/** One of the setups that are compared. */
export interface Setup {
  readonly name: string;
  readonly connections: number;
  start(scratchDir: string): Promise<Measurable>;
}

interface Measured {
  readonly name: string;
  readonly rate: number;
  readonly p99Ms: number;
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  readonly memory: readonly number[];
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

const resultsDir = join(import.meta.dirname, '../results');
const warmUpSeconds = 3;

/**
 * Compares setups under the same load, one after the other and several times, because the speed of a shared machine varies
 * by the minute. The processor time per lead says what more cores would give.
 */
export async function compare(setups: readonly Setup[], rounds: Rounds): Promise<boolean> {
  const medians = await mediansOf(setups, rounds);
  const head = ['setup', 'leads/s', '÷ first', 'p99 ms', 'Node µs', 'PostgreSQL µs', '÷ first', 'memory MB'];
  const rows = medians.map((median) => lineOf(median, medians[0]));
  print(`\nMedians of ${rounds.rounds}:\n${table([head, ...rows]).join('\n')}\n`);
  return true;
}

export async function mediansOf(
  setups: readonly Setup[],
  { rounds, seconds }: Rounds,
): Promise<readonly Measured[]> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const scratchDir = await mkdtemp(join(resultsDir, 'scratch-'));
  undoLater(() => rm(scratchDir, { recursive: true, force: true }));
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const setup of setups) {
      const measured = await measure(setup, seconds, scratchDir);
      print(`${lineOf(measured).join('  ')}\n`);
      all.push(measured);
    }
  }
  return setups.map(({ name }) => medianOf(all.filter((one) => one.name === name)));
}

async function measure(
  { name, connections, start }: Setup,
  seconds: number,
  scratchDir: string,
): Promise<Measured> {
  const target = await start(scratchDir);
  const { port, tokens } = target;
  const load = (during: number) =>
    generators[preferredGenerator()](
      { port, tokens, connections, seconds: during, runId: randomBytes(6).toString('hex') },
      scratchDir,
    );
  const warmUp = await load(warmUpSeconds);
  const before = target.cpu();
  const { rate, requests, p99Ms, failures } = await load(seconds);
  const after = target.cpu();
  const memory = target.memory();
  const kept = await target.finish();
  const answered = warmUp.requests + requests;
  if (failures > 0 || (kept?.leads ?? 0) < answered)
    throw new Error(`${failures} failures; ${answered} responses, ${kept?.leads} leads stored`);
  const micros = (part: 'node' | 'postgres') => ((after[part] - before[part]) * 1e6) / requests;
  return { name, rate, p99Ms, nodeMicros: micros('node'), postgresMicros: micros('postgres'), memory };
}

function medianOf(runs: readonly Measured[]): Measured {
  const medianBy = (value: (run: Measured) => number) => median(runs.map(value));
  return {
    ...(runs.at(-1) as Measured),
    rate: medianBy(({ rate }) => rate),
    p99Ms: medianBy(({ p99Ms }) => p99Ms),
    nodeMicros: medianBy(({ nodeMicros }) => nodeMicros),
    postgresMicros: medianBy(({ postgresMicros }) => postgresMicros),
  };
}

function lineOf(measured: Measured, first?: Measured): string[] {
  const { name, rate, p99Ms, nodeMicros, postgresMicros, memory } = measured;
  return [
    name,
    formatCount(rate),
    first === undefined ? '' : (rate / first.rate).toFixed(2),
    p99Ms.toFixed(0),
    nodeMicros.toFixed(0),
    postgresMicros.toFixed(0),
    first === undefined ? '' : (costOf(measured) / costOf(first)).toFixed(2),
    memory.join(' + '),
  ];
}

function costOf({ nodeMicros, postgresMicros }: Measured): number {
  return nodeMicros + postgresMicros;
}

function print(text: string): void {
  process.stdout.write(text);
}
