import { AnchoredClock } from './anchored-clock.ts';
import { readConfig } from './config.ts';
import { fail, isManaging, type Ready, run } from './run.ts';
import { greeting, say } from './telemetry/terminal.ts';

try {
  await run(readConfig(), { clock: new AnchoredClock(), whenReady: welcome });
} catch (error) {
  fail(error);
}

async function welcome({ config, service }: Ready): Promise<void> {
  say(
    greeting(config, service.url, {
      starter: config.role === 'all' ? await service.createStarter() : null,
      setupLink: isManaging(config) ? await service.createSetupLink() : null,
    }),
  );
}
