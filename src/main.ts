import cluster from 'node:cluster';
import { stayAlive } from './start/process/stay-alive.ts';

stayAlive();
// Static imports would be loaded first.
const { readConfig } = await import('./config.ts');
const { fail } = await import('./start/process/process-life.ts');
const { AnchoredClock } = await import('./time/anchored-clock.ts');

try {
  await main();
} catch (error) {
  fail(error);
}

/** Each kind of process loads only its own code. */
async function main(): Promise<void> {
  const config = readConfig();
  const clock = new AnchoredClock();
  if (!cluster.isWorker && config.workers > 1) {
    const { runSupervisor } = await import('./start/supervisor/run-supervisor.ts');
    return runSupervisor(config, clock);
  }
  const { welcome } = await import('./start/process/welcome.ts');
  if (cluster.isWorker) {
    const { runWorker } = await import('./start/supervisor/run-worker.ts');
    return runWorker(config, { clock, whenReady: welcome });
  }
  const { run } = await import('./start/run.ts');
  return run(config, { clock, whenReady: welcome });
}
