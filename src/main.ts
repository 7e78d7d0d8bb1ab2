import { readConfig } from './config.ts';
import { fail, run } from './start/run.ts';
import { welcome } from './start/welcome.ts';
import { AnchoredClock } from './time/anchored-clock.ts';

try {
  await run(readConfig(), { clock: new AnchoredClock(), whenReady: welcome });
} catch (error) {
  fail(error);
}
