import { type ExitReason, exitCodes } from '../cli/exit.ts';
import { type Config, ConfigError, readParent } from '../config.ts';
import { EmbeddedError, InUseError } from '../db/embedded/error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/server.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { docsRecipe, webRecipe } from '../http/site/build-recipe.ts';
import { prepareBuild } from '../http/site/prepare-build.ts';
import { loadLibrary } from '../manage/accounts/accounts.ts';
import { createLogger } from '../telemetry/logger.ts';
import { say } from '../telemetry/terminal.ts';
import type { Clock } from '../time/clock.ts';
import { createParentWatch } from './parent-watch.ts';
import { hasRole } from './roles.ts';
import { type Service, startService } from './service.ts';
import { explainStartError, StartError } from './start-error.ts';

const stopTimeoutMs = 10_000;
const welcomePauseMs = 500;
const parentPollMs = 200;

export interface Ready {
  readonly config: Config;
  readonly service: Service;
  readonly databaseUrl: string;
  readonly stopping: AbortSignal;
}

export interface Run {
  readonly clock: Clock;
  /** Called once the database is ready, and again if the database becomes unavailable during the call. */
  readonly whenReady: (ready: Ready) => Promise<void>;
}

/** Role → start → wait → stop in reverse order. */
export async function run(config: Config, { clock, whenReady }: Run): Promise<void> {
  const log = createLogger(config.logLevel);
  // An unhandled error in one part must not stop the others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  // A closed terminal or a full log must not stop the service, least of all before its database.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const stopping = stopWhenTold(clock);
  const webApp = hasRole(config, 'manage') ? prepareBuild(webRecipe, say) : Promise.resolve(null);
  const docsSite = hasRole(config, 'manage') ? prepareBuild(docsRecipe, say) : Promise.resolve(null);
  // Loaded while the database starts, so that no lead waits for it later.
  const library = hasRole(config, 'manage') ? loadLibrary() : null;
  const database =
    config.databaseUrl === null ? await startDatabase(config, (line) => log.debug(line)) : null;
  let service: Service | null = null;
  try {
    const databaseUrl = config.databaseUrl ?? (database?.url as string);
    await library;
    service = await startService({ config, databaseUrl, clock, log, webApp, docsSite });
    const stopped = aborted(stopping);
    await Promise.race([
      readyOnce({ config, service, databaseUrl, stopping }, { clock, whenReady }),
      stopped,
    ]);
    await stopped;
    say('Stopping.');
  } catch (error) {
    throw explainStartError(error, config);
  } finally {
    // A part that hangs must not keep the process alive: everything answered with 202 is already committed.
    const cancel = clock.deadline(stopTimeoutMs, () => void exitNow(database));
    await service?.stop();
    cancel();
    // This takes as long as the disk needs: the database has to write what it holds in memory.
    await database?.stop();
  }
}

async function readyOnce(ready: Ready, { clock, whenReady }: Run): Promise<void> {
  const { service } = ready;
  if (!service.isDatabaseReady) say(`${service.url} is up, but PostgreSQL is not ready yet. Waiting for it.`);
  await service.databaseReady;
  for (;;) {
    try {
      return await whenReady(ready);
    } catch (error) {
      // PostgreSQL may be unavailable again. The service continues without it.
      if (!isUnavailable(error)) throw error;
      await clock.sleep(welcomePauseMs);
    }
  }
}

async function exitNow(database: EmbeddedPostgres | null): Promise<void> {
  await database?.stop();
  process.exit(1);
}

async function startDatabase(config: Config, log: (line: string) => void): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataDir: config.dataDir, log, onProgress: say });
  } catch (error) {
    throw explainStartError(error, config);
  }
}

/** Aborted by a signal, or when a process exits that this one must not outlive. */
function stopWhenTold(clock: Clock): AbortSignal {
  const stopping = new AbortController();
  // The listeners stay: Ctrl-C comes from the terminal and again from npm, and a second signal without a listener
  // would end the process before its database.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const isParentGone = createParentWatch(readParent());
  const watch = clock.repeat(() => isParentGone() && stopping.abort(), { pauseMs: parentPollMs });
  stopping.signal.addEventListener('abort', () => void watch.stop());
  return stopping.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Prints the error and sets the exit code that the command line uses for it. */
export function fail(error: unknown): void {
  process.stderr.write(`${explain(error as Error)}\n`);
  process.exitCode = exitCodes[reasonOf(error)].code;
}

function reasonOf(error: unknown): ExitReason {
  if (error instanceof ConfigError) return 'usage';
  return error instanceof StartError || error instanceof InUseError ? 'conflict' : 'failure';
}

/** Errors that the operator can fix are one sentence. Others come with their stack. */
function explain(error: Error): string {
  const isFixable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof StartError;
  return isFixable ? error.message : String(error.stack);
}
