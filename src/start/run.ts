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
import { type Service, startService } from './service.ts';
import { StartError, startFault } from './start-fault.ts';

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
  /** What is done and said once the database is there; tried again when the database goes away meanwhile. */
  readonly whenReady: (ready: Ready) => Promise<void>;
}

/** Role → start → wait → stop in reverse order. */
export async function run(config: Config, { clock, whenReady }: Run): Promise<void> {
  const log = createLogger(config.logLevel);
  // Whatever escapes a part of the service must not take the others with it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a fault escaped'));
  // A terminal that is closed, or a log that takes no more, must not take the service with it, let alone before its database.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const stopping = stopWhenTold(clock);
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
    service = await startService({ config, databaseUrl, clock, log, webApp, docsSite });
    const stopped = aborted(stopping);
    await Promise.race([
      readyOnce({ config, service, databaseUrl, stopping }, { clock, whenReady }),
      stopped,
    ]);
    await stopped;
    say('Stopping.');
  } catch (error) {
    throw startFault(error, config);
  } finally {
    // Whatever hangs must not keep the process: everything answered with 202 is committed already.
    const cancel = clock.deadline(stopTimeoutMs, () => void exitNow(database));
    await service?.stop();
    cancel();
    // This one only takes as long as its disk: what it has in memory has to be there first.
    await database?.stop();
  }
}

export function isManaging({ role }: Config): boolean {
  return role === 'all' || role === 'manage';
}

async function readyOnce(ready: Ready, { clock, whenReady }: Run): Promise<void> {
  const { service } = ready;
  if (!service.isDatabaseReady) say(`${service.url} is up, but PostgreSQL is not ready yet. Waiting for it.`);
  await service.databaseReady;
  for (;;) {
    try {
      return await whenReady(ready);
    } catch (error) {
      // PostgreSQL may be gone again; the service goes on without it.
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
    throw startFault(error, config);
  }
}

/** Whoever wants the service to end says so by a signal, or by ending themselves when the service must not outlive them. */
function stopWhenTold(clock: Clock): AbortSignal {
  const stopping = new AbortController();
  // Listened to until the end: Ctrl-C comes from the terminal and once more from npm, and a second signal that nobody
  // listens to would end the process before its database.
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

/** Ends the process with a sentence for whoever started it, and with the exit code that the command line has for it. */
export function fail(error: unknown): void {
  process.stderr.write(`${explain(error as Error)}\n`);
  process.exitCode = exitCodes[reasonOf(error)].code;
}

function reasonOf(error: unknown): ExitReason {
  if (error instanceof ConfigError) return 'usage';
  return error instanceof StartError || error instanceof InUseError ? 'conflict' : 'failure';
}

/** What the operator can mend is said in a sentence; anything else comes with its stack. */
function explain(error: Error): string {
  const isMendable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof StartError;
  return isMendable ? error.message : String(error.stack);
}
