import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Options, TargetName } from './options.ts';
import { targetNames } from './options.ts';
import type { Run } from './step.ts';

/** The goals of the project. `at` lists the connection counts where they are required. */
const goals = [
  { of: 'service', to: 'echo', goal: 0.6, at: [256] },
  { of: 'service', to: 'textbook', goal: 8, at: [256] },
  { of: 'bad token', to: 'echo', goal: 0.95, at: [64, 256] },
  { of: 'held', to: 'rejected', goal: 0.9, at: [64, 256] },
] as const satisfies readonly { of: TargetName; to: TargetName; goal: number; at: readonly number[] }[];

/** How much longer than those of the echo at the same rate the slowest responses may take. Shown, because it tells how much is the machine's. */
const slowestRatioMax = 5;

/** What a lead may cost at most, with that many connections. */
const costGoals = [
  { name: 'Node, µs per lead', goal: 110, of: (row: Row) => row.nodeMicros },
  { name: 'PostgreSQL, µs per lead', goal: 50, of: (row: Row) => row.postgresMicros },
  { name: 'p99 at half the rate, ms', goal: 15, of: (row: Row) => row.halfRateP99Ms },
] as const;
const costConnections = 256;

interface Row {
  readonly target: TargetName;
  readonly connections: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Null for targets of which it is not measured. */
  readonly nodeMicros: number | null;
  readonly postgresMicros: number | null;
  readonly halfRateP99Ms: number | null;
}

interface CostResult {
  readonly name: string;
  readonly measured: number;
  readonly goal: number;
}

interface Ratio {
  readonly name: string;
  readonly connections: number;
  readonly ratio: number;
  /** Null when the ratio is shown but not required. */
  readonly goal: number | null;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  readonly costs: readonly CostResult[];
  readonly errors: readonly string[];
}

/** Several runs of a target at the same number of connections are averaged. */
export function makeReport(runs: readonly Run[]): Report {
  const rows: Row[] = [];
  for (const connections of new Set(runs.map((run) => run.connections))) {
    for (const target of targetNames) {
      const same = runs.filter((run) => run.target === target && run.connections === connections);
      if (same.length > 0) rows.push(meanRow(target, connections, same));
    }
  }
  const errors = runs.flatMap((run) =>
    run.errors.map((error) => `${run.target}, ${run.connections} connections: ${error}`),
  );
  return { rows, ratios: rows.flatMap((row) => ratiosOf(row, rows)), costs: rows.flatMap(costsOf), errors };
}

function costsOf(row: Row): CostResult[] {
  if (row.target !== 'service' || row.connections !== costConnections) return [];
  return costGoals.flatMap(({ name, goal, of }) => {
    const measured = of(row);
    return measured === null ? [] : [{ name, measured, goal }];
  });
}

function slowestRatio(rows: readonly Row[]): string[][] {
  const p99Of = (name: TargetName) =>
    rows.find(({ target, connections }) => target === name && connections === costConnections)?.halfRateP99Ms;
  const [service, echo] = [p99Of('service'), p99Of('echo')];
  if (!service || !echo) return [];
  return [
    ['the same ÷ echo', String(costConnections), (service / echo).toFixed(1), `<= ${slowestRatioMax}`, ''],
  ];
}

function meanRow(target: TargetName, connections: number, runs: readonly Run[]): Row {
  const mean = (value: (run: Run) => number) => runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
  /** Of those of which it was measured. */
  const meanOr = (value: (run: Run) => number | undefined) => {
    const values = runs.flatMap((run) => value(run) ?? []);
    return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
  };
  return {
    target,
    connections,
    rate: mean((run) => run.figures.rate),
    p50Ms: mean((run) => run.figures.p50Ms),
    p99Ms: mean((run) => run.figures.p99Ms),
    nodeMicros: meanOr((run) => run.cost?.nodeMicros),
    postgresMicros: meanOr((run) => run.cost?.postgresMicros),
    halfRateP99Ms: meanOr((run) => run.halfRate?.p99Ms),
  };
}

function ratiosOf(row: Row, rows: readonly Row[]): Ratio[] {
  return goals.flatMap(({ of, to, goal, at }) => {
    const base = rows.find((other) => other.target === to && other.connections === row.connections);
    if (row.target !== of || base === undefined) return [];
    const isRequired = (at as readonly number[]).includes(row.connections);
    return [
      {
        name: `${of} ÷ ${to}`,
        connections: row.connections,
        ratio: row.rate / base.rate,
        goal: isRequired ? goal : null,
      },
    ];
  });
}

export function isGood({ ratios, costs, errors }: Report): boolean {
  const areRatiosGood = ratios.every(({ ratio, goal }) => goal === null || ratio >= goal);
  return errors.length === 0 && areRatiosGood && costs.every(({ measured, goal }) => measured <= goal);
}

export function formatReport({ rows, ratios, costs, errors }: Report): string {
  const rates = rows.map((row) => [
    row.target,
    String(row.connections),
    formatCount(row.rate),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.nodeMicros?.toFixed(0) ?? '',
    row.postgresMicros?.toFixed(0) ?? '',
  ]);
  const shares = ratios.map(({ name, connections, ratio, goal }) => [
    name,
    String(connections),
    ratio.toFixed(2),
    goal === null ? '' : `>= ${goal}`,
    goal === null ? '' : ratio >= goal ? 'ok' : 'BELOW',
  ]);
  const limits = costs.map(({ name, measured, goal }) => [
    name,
    String(costConnections),
    measured.toFixed(1),
    `<= ${goal}`,
    measured <= goal ? 'ok' : 'ABOVE',
  ]);
  const head = ['target', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs'];
  const lines = [
    ...table([head, ...rates]),
    '',
    ...table([
      ['service', 'connections', 'measured', 'goal', ''],
      ...shares,
      ...limits,
      ...slowestRatio(rows),
    ]),
    ...errors.map((error) => `INVALID: ${error}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** One file per run, and `latest.json`, to compare runs later. */
export async function writeReport(dir: string, report: Report, runs: readonly Run[], options: Options) {
  const at = new Date().toISOString();
  const machine = {
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
    node: process.version,
  };
  const text = `${JSON.stringify({ at, machine, options, ...report, runs }, null, 2)}\n`;
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${at.replaceAll(':', '-')}.json`);
  await writeFile(path, text);
  await writeFile(join(dir, 'latest.json'), text);
  return path;
}
