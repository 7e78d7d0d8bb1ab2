import { systemClock } from './clock.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded/server.ts';
import { createLogger } from './telemetry/logger.ts';
import { greeting, say } from './telemetry/terminal.ts';
import { startService } from './wire.ts';

const stopTimeoutMs = 10_000;

try {
  await main(readConfig(process.env));
} catch (error) {
  // What the operator can mend is said in a sentence; anything else comes with its stack.
  const isOperatorsFault =
    error instanceof ConfigError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(`${isOperatorsFault ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}

/** Role → start → wait → stop in reverse order. */
async function main(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  const stopSignal = untilStopSignal();
  const database =
    config.databaseUrl === null ? await startDatabase(config, (line) => log.debug(line)) : null;
  try {
    const databaseUrl = config.databaseUrl ?? (database?.url as string);
    const service = await startService({ config, databaseUrl, clock: systemClock, log });
    say(greeting(config, service.url, config.role === 'all' ? await service.createStarter() : null));
    await stopSignal;
    say('Stopping.');
    // Whatever hangs must not keep the process: everything answered with 202 is committed already.
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    await service.stop();
  } finally {
    await database?.stop();
  }
}

function startDatabase({ dataDir }: Config, log: (line: string) => void) {
  return startEmbeddedPostgres({ dataDir, log, onProgress: say });
}

function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve()).once('SIGINT', () => resolve());
  });
}
