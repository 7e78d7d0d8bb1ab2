import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { undoLater } from '../undo.ts';
import type { Figures, Load } from './load.ts';
import { runWrk } from './wrk.ts';

export const generators = { wrk: runWrk, bundled: runBundled } as const;
export type GeneratorName = keyof typeof generators;

/** wrk costs the targets the least CPU time; the bundled generator needs nothing installed. */
export function preferredGenerator(): GeneratorName {
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined ? 'wrk' : 'bundled';
}

/** The generator for machines without wrk, in a process of its own so that its work is not measured as ours. */
async function runBundled(load: Load): Promise<Figures> {
  const worker = fork(join(import.meta.dirname, 'bundled-worker.ts'));
  const stop = undoLater(async () => void worker.kill());
  worker.send(load);
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`The bundled generator ended with ${code}`);
  });
  const [figures] = await Promise.race([once(worker, 'message'), ended]);
  ended.catch(() => {});
  await stop();
  return figures as Figures;
}
