import cluster from 'node:cluster';
import { readConfig } from './config.ts';
import { fail } from './start/process/process-life.ts';
import { welcome } from './start/process/welcome.ts';
import { run } from './start/run.ts';
import { runSupervisor } from './start/supervisor/run-supervisor.ts';
import { runWorker } from './start/supervisor/run-worker.ts';
import { AnchoredClock } from './time/anchored-clock.ts';

try {
  const config = readConfig();
  const clock = new AnchoredClock();
  if (cluster.isWorker) await runWorker(config, { clock, whenReady: welcome });
  else if (config.workers > 1) await runSupervisor(config, clock);
  else await run(config, { clock, whenReady: welcome });
} catch (error) {
  fail(error);
}
