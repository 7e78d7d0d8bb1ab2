import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Options } from './options.ts';
import type { SeedRange, SeedReport } from './worker.ts';

export interface Summary {
  readonly seeds: number;
  readonly accepted: number;
  /** Hash of the hashes of all seeds, in order. */
  readonly hash: string;
  /** The lowest seed that broke a promise, if any. */
  readonly broken: SeedReport | null;
}

const workerFile = new URL('worker.ts', import.meta.url);

/** Runs seeds in several threads. Ends with the lowest one that breaks a promise. */
export async function runSeeds(
  {
    seeds,
    first,
    workers,
    finding = null,
  }: Pick<Options, 'seeds' | 'first' | 'workers'> & Partial<Pick<Options, 'finding'>>,
  onProgress: (done: number) => void = () => {},
): Promise<Summary> {
  const reports: SeedReport[] = [];
  const last = first + seeds - 1;
  const isBroken = ({ findings }: SeedReport) =>
    findings.some((found) => finding === null || found.startsWith(`${finding}: `));
  await Promise.all(
    Array.from({ length: workers }, (_, place) =>
      runThread({ first: first + place, last, step: workers }, (report) => {
        reports.push(report);
        onProgress(reports.length);
        return reports.every((other) => !isBroken(other) || other.seed > report.seed);
      }),
    ),
  );
  const inOrder = reports.toSorted((a, b) => a.seed - b.seed);
  const hash = createHash('sha256');
  for (const report of inOrder) hash.update(report.hash);
  return {
    seeds: reports.length,
    accepted: reports.reduce((sum, report) => sum + report.accepted, 0),
    hash: hash.digest('hex').slice(0, 16),
    broken: inOrder.find(isBroken) ?? null,
  };
}

/** `onReport` returns whether to continue. */
function runThread(range: SeedRange, onReport: (report: SeedReport) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: range });
    worker.on('message', (report: SeedReport) => {
      if (!onReport(report)) void worker.terminate();
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
