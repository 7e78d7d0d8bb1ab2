import { readConfig } from './config.ts';
import { fail, run } from './run.ts';
import { AnchoredClock } from './time/anchored-clock.ts';
import { welcome } from './welcome.ts';

try {
  await run(readConfig(), { clock: new AnchoredClock(), whenReady: welcome });
} catch (error) {
  fail(error);
}
