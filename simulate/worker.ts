import { parentPort, workerData } from 'node:worker_threads';
import { runSeed } from './run.ts';

export interface SeedRange {
  readonly first: number;
  readonly last: number;
  /** Distance between the seeds of this thread. Other threads run those in between. */
  readonly step: number;
}

export interface SeedReport {
  readonly seed: number;
  readonly hash: string;
  readonly accepted: number;
  readonly findings: readonly string[];
}

const { first, last, step } = workerData as SeedRange;
for (let seed = first; seed <= last; seed += step) {
  const { hash, accepted, findings } = await runSeed(seed);
  const report: SeedReport = {
    seed,
    hash,
    accepted,
    findings: findings.map(({ kind, text }) => `${kind}: ${text}`),
  };
  parentPort?.postMessage(report);
}
