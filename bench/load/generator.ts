import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { undoLater } from '../undo.ts';
import type { Figures, Load } from './load.ts';
import { runWrk } from './wrk.ts';

export const generators = { wrk: runWrk, bundled: runBundled } as const;
export type GeneratorName = keyof typeof generators;

/** wrk takes the least CPU from the targets. The bundled generator needs no installation. */
export function preferredGenerator(): GeneratorName {
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined ? 'wrk' : 'bundled';
}

/** For machines without wrk. Runs in a separate process, so that its work does not slow down the benchmark. */
async function runBundled(load: Load): Promise<Figures> {
  const worker = fork(join(import.meta.dirname, 'bundled-worker.ts'));
  const stop = undoLater(async () => void worker.kill());
  worker.send(load);
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`The bundled generator exited with ${code}`);
  });
  const [figures] = await Promise.race([once(worker, 'message'), ended]);
  ended.catch(() => {});
  await stop();
  return figures as Figures;
}
