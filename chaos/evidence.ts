import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

export const resultsDir = join(import.meta.dirname, 'results');

/** Keeps the ledger and the logs of the instances for an investigation. Returns the folder. */
export async function keepEvidence(scenario: string, dir: string, seed: number): Promise<string> {
  const kept = join(resultsDir, `broken-${scenario.replaceAll(' ', '-')}-${seed}`);
  const isEvidence = (path: string) => !/\/(?:spool|small-disk|source)$/.test(path);
  await mkdir(resultsDir, { recursive: true });
  await cp(dir, kept, { recursive: true, filter: isEvidence });
  return kept;
}
