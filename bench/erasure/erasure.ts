import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runStream } from '../../chaos/hostile/stream.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { median } from '../median.ts';
import { buildPages } from '../pages.ts';
import { table } from '../report.ts';
import { startServiceOn } from '../targets/targets.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { measureRound, type Round } from './round.ts';
import { createSenders } from './senders.ts';

/** Measures how long the erasure of many leads takes, and what it costs those who send meanwhile. */
const usage =
  'npm run bench:erasure -- [--rounds=5] [--leads=100000] [--rate=400]   leads per round, and leads per second of others\n';
const leadsOfGoal = 100_000;
const secondsMax = 10;
const ratioMax = 1.5;
const warmUpSeconds = 15;
const resultsDir = join(import.meta.dirname, '..', 'results');

interface Options {
  readonly rounds: number;
  readonly leads: number;
  readonly rate: number;
}

async function bench({ rounds, leads, rate }: Options): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const dataDir = await mkdtemp(join(resultsDir, 'erasure-'));
  undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  undoLater(() => postgres.stop());
  const { port, pid } = await startServiceOn(postgres.url, dataDir);
  const requests = await createSenders(port, rate);
  // Until the code of the service is compiled.
  await runStream({ port, requests, rate, connections: 64, seconds: warmUpSeconds });
  const measured: Round[] = [];
  for (let number = 1; number <= rounds; number++) {
    const round = await measureRound({ port, pid, databaseUrl: postgres.url, requests, rate, leads }, number);
    measured.push(round);
    process.stdout.write(`${lineOf(round, number)}\n`);
  }
  return report(measured, leads, rate);
}

function lineOf({ seconds, quiet, during, after, stolen, cpu }: Round, number: number): string {
  const times = [quiet, during, after].map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)}/${p99Ms.toFixed(1)}`);
  const cores = `${(cpu.node / seconds).toFixed(2)} cores of Node, the host took ${(100 * stolen).toFixed(0)} %`;
  return `round ${number}: ${seconds.toFixed(1)} s; p50/p99 quiet, during, after: ${times.join(', ')} ms; ${cores}`;
}

function report(rounds: readonly Round[], leads: number, rate: number): boolean {
  const seconds = (median(rounds.map((round) => round.seconds)) * leadsOfGoal) / leads;
  const quietMs = median(rounds.map(({ quiet }) => quiet.p99Ms));
  const p99Row = (part: 'during' | 'after', name: string) => {
    const p99Ms = median(rounds.map((round) => round[part].p99Ms));
    const ratio = p99Ms / quietMs;
    const measured = `${p99Ms.toFixed(1)} ms instead of ${quietMs.toFixed(1)}, ${ratio.toFixed(2)} times`;
    return { name, measured, goal: `<= ${ratioMax} times`, isReached: ratio <= ratioMax };
  };
  const lost = rounds.reduce((sum, { unanswered }) => sum + unanswered, 0);
  const rows = [
    {
      name: `erasure of ${leadsOfGoal.toLocaleString('en')} leads`,
      measured: `${seconds.toFixed(1)} s`,
      goal: `<= ${secondsMax} s`,
      isReached: seconds <= secondsMax,
    },
    p99Row('during', `p99 of ${rate} leads/s of others, during it`),
    p99Row('after', 'the same, while its events are made after it'),
    { name: 'leads of others not accepted', measured: String(lost), goal: '0', isReached: lost === 0 },
  ];
  const cells = rows.map((row) => [row.name, row.measured, row.goal, row.isReached ? 'ok' : 'MISSED']);
  process.stdout.write(
    `\n${table([['median of the rounds', 'measured', 'goal', ''], ...cells]).join('\n')}\n`,
  );
  return rows.every(({ isReached }) => isReached);
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    leads: { type: 'string', default: String(leadsOfGoal) },
    rate: { type: 'string', default: '400' },
  },
});
const options = { rounds: Number(values.rounds), leads: Number(values.leads), rate: Number(values.rate) };
if (!Object.values(options).every((value) => Number.isInteger(value) && value > 0)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  process.exitCode = await runAndUndo(() => bench(options));
}
