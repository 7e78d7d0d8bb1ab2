import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Options, TargetName } from './options.ts';
import { targetNames } from './options.ts';
import type { Run } from './step.ts';

/** The goals of the project. `at` lists the connection counts where they are required. */
const goals = [
  { of: 'service', to: 'echo', goal: 0.6, at: [256] },
  { of: 'service', to: 'textbook', goal: 6, at: [64, 256] },
  { of: 'bad token', to: 'echo', goal: 0.85, at: [64, 256] },
  { of: 'held', to: 'rejected', goal: 0.9, at: [64, 256] },
] as const satisfies readonly { of: TargetName; to: TargetName; goal: number; at: readonly number[] }[];

interface Row {
  readonly target: TargetName;
  readonly connections: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
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
  return { rows, ratios: rows.flatMap((row) => ratiosOf(row, rows)), errors };
}

function meanRow(target: TargetName, connections: number, runs: readonly Run[]): Row {
  const mean = (value: (run: Run) => number) => runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
  return {
    target,
    connections,
    rate: mean((run) => run.figures.rate),
    p50Ms: mean((run) => run.figures.p50Ms),
    p99Ms: mean((run) => run.figures.p99Ms),
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

export function isGood({ ratios, errors }: Report): boolean {
  return errors.length === 0 && ratios.every(({ ratio, goal }) => goal === null || ratio >= goal);
}

export function formatReport({ rows, ratios, errors }: Report): string {
  const rates = rows.map((row) => [
    row.target,
    String(row.connections),
    formatCount(row.rate),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
  ]);
  const shares = ratios.map(({ name, connections, ratio, goal }) => [
    name,
    String(connections),
    ratio.toFixed(2),
    goal === null ? '' : `>= ${goal}`,
    goal === null ? '' : ratio >= goal ? 'ok' : 'BELOW',
  ]);
  const lines = [
    ...table([['target', 'connections', 'requests/s', 'p50 ms', 'p99 ms'], ...rates]),
    '',
    ...table([['ratio', 'connections', 'measured', 'goal', ''], ...shares]),
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
