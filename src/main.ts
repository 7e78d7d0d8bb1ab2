import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from './clock.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { EmbeddedError } from './db/embedded/error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/server.ts';
import { isUnavailable } from './db/unavailable.ts';
import { docsRecipe, webRecipe } from './http/build-recipe.ts';
import { prepareBuild } from './http/prepare-build.ts';
import { loadLibrary } from './manage/accounts/accounts.ts';
import { createLogger } from './telemetry/logger.ts';
import { greeting, say } from './telemetry/terminal.ts';
import { type Service, startService } from './wire.ts';

const stopTimeoutMs = 10_000;
const welcomePauseMs = 500;

try {
  await main(readConfig());
} catch (error) {
  process.stderr.write(`${explain(error as NodeJS.ErrnoException)}\n`);
  process.exitCode = 1;
}

/** Role → start → wait → stop in reverse order. */
async function main(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  // Whatever escapes a part of the service must not take the others with it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a fault escaped'));
  const stopSignal = untilStopSignal();
  const webApp = isManaging(config) ? prepareBuild(webRecipe, say) : Promise.resolve(null);
  const docsSite = isManaging(config) ? prepareBuild(docsRecipe, say) : Promise.resolve(null);
  // Done while the database starts, so that no lead waits for it later.
  const library = isManaging(config) ? loadLibrary() : null;
  const database =
    config.databaseUrl === null ? await startDatabase(config, (line) => log.debug(line)) : null;
  let service: Service | null = null;
  try {
    const databaseUrl = config.databaseUrl ?? (database?.url as string);
    await library;
    service = await startService({ config, databaseUrl, clock: systemClock, log, webApp, docsSite });
    await Promise.race([welcomeOnceReady(config, service), stopSignal]);
    await stopSignal;
    say('Stopping.');
  } finally {
    // Whatever hangs must not keep the process: everything answered with 202 is committed already.
    setTimeout(() => void exitNow(database), stopTimeoutMs).unref();
    await service?.stop();
    await database?.stop();
  }
}

function isManaging({ role }: Config): boolean {
  return role === 'all' || role === 'manage';
}

async function welcomeOnceReady(config: Config, service: Service): Promise<void> {
  if (!service.isDatabaseReady)
    say(`${service.url} is up, but PostgreSQL does not answer yet. Waiting for it.`);
  await service.databaseReady;
  for (;;) {
    try {
      return await welcome(config, service);
    } catch (error) {
      // PostgreSQL may be gone again; the service goes on without it.
      if (!isUnavailable(error)) throw error;
      await sleep(welcomePauseMs);
    }
  }
}

async function welcome(config: Config, service: Service): Promise<void> {
  say(
    greeting(config, service.url, {
      starter: config.role === 'all' ? await service.createStarter() : null,
      setupLink: isManaging(config) ? await service.createSetupLink() : null,
    }),
  );
}

async function exitNow(database: EmbeddedPostgres | null): Promise<void> {
  await database?.stop();
  process.exit(1);
}

function startDatabase({ dataDir }: Config, log: (line: string) => void) {
  return startEmbeddedPostgres({ dataDir, log, onProgress: say });
}

function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve()).once('SIGINT', () => resolve());
  });
}

/** What the operator can mend is said in a sentence; anything else comes with its stack. */
function explain(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is taken. Set PORT to another one, or stop what uses it.`;
  return error instanceof ConfigError || error instanceof EmbeddedError ? error.message : String(error.stack);
}
