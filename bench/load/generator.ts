import { spawnSync } from 'node:child_process';
import { runBundled } from './bundled.ts';
import type { Figures, Load } from './load.ts';
import { runWrk } from './wrk.ts';

export type Generator = (load: Load, scratchDir: string) => Promise<Figures>;
export const generators = { wrk: runWrk, bundled: runBundled } as const;
export type GeneratorName = keyof typeof generators;

/** wrk costs the targets the least CPU time; the bundled generator needs nothing installed. */
export function preferredGenerator(): GeneratorName {
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined ? 'wrk' : 'bundled';
}
