import type { Config } from '../config.ts';
import type { EmbeddedPostgres } from '../db/embedded/server.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { docsRecipe, sdkRecipe, webRecipe } from '../http/site/build-recipe.ts';
import { prepareBuild } from '../http/site/prepare-build.ts';
import { createLogger } from '../telemetry/logger.ts';
import { say } from '../telemetry/terminal.ts';
import type { Clock } from '../time/clock.ts';
import type { FurtherPages } from './control-plane.ts';
import type { FirstParts } from './first-parts.ts';
import { aborted, startDatabase, stopWhenTold, surviveErrors } from './process/process-life.ts';
import { explainStartError } from './process/start-error.ts';
import { onSignal } from './process/stay-alive.ts';
import { hasRole } from './roles.ts';
import { type Service, startService } from './service.ts';

const stopTimeoutMs = 10_000;
const welcomePauseMs = 500;

export interface Ready {
  readonly config: Config;
  readonly service: Service;
  readonly first: FirstParts;
  readonly databaseUrl: string;
  readonly stopping: AbortSignal;
}

export interface Run {
  readonly clock: Clock;
  /** Called once the database is ready, and again if the database becomes unavailable during the call. */
  readonly whenReady: (ready: Ready) => Promise<void>;
  /** Pages that only the demo has. */
  readonly furtherPages?: FurtherPages;
}

/** One process that does everything its role asks for: start → wait → stop in reverse order. */
export async function run(config: Config, { clock, whenReady, furtherPages }: Run): Promise<void> {
  const log = createLogger(config.logLevel);
  surviveErrors(log);
  const stopping = await stopWhenTold(clock);
  onSignal('SIGUSR2', () => log.warn('rolling restart ignored: it needs two or more WORKERS'));
  if (stopping.aborted) return;
  const builds = prepareBuilds(config);
  const library = preloadLibrary(config);
  const database = await startDatabase(config, log);
  let service: Service | null = null;
  try {
    const databaseUrl = config.databaseUrl ?? (database?.url as string);
    await library;
    service = await startService({ config, databaseUrl, clock, log, furtherPages, ...builds });
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

/** Starts to build what is not built yet: the settings area, the documentation and the SDK for web pages. */
export function prepareBuilds(config: Config) {
  const prepare = (recipe: typeof webRecipe, isServed: boolean) =>
    isServed ? prepareBuild(recipe, say) : Promise.resolve(null);
  const isManaging = hasRole(config, 'manage');
  return {
    webApp: prepare(webRecipe, isManaging),
    docsSite: prepare(docsRecipe, isManaging),
    // Pages load it from where they send their leads.
    sdk: prepare(sdkRecipe, isManaging || hasRole(config, 'ingest')),
  };
}

/** Loads the library for accounts while the database starts, so that no lead waits for it later. */
export async function preloadLibrary(config: Config): Promise<void> {
  if (!hasRole(config, 'manage')) return;
  const { loadLibrary } = await import('../manage/accounts/accounts.ts');
  await loadLibrary();
}

/** Does nothing in a process that is not the first of its host. */
export async function readyOnce(ready: Omit<Ready, 'first'>, { clock, whenReady }: Run): Promise<void> {
  const { service } = ready;
  const { first } = service;
  if (first === null) return;
  if (!service.isDatabaseReady) say(`${service.url} is up, but PostgreSQL is not ready yet. Waiting for it.`);
  await service.databaseReady;
  for (;;) {
    try {
      return await whenReady({ ...ready, first });
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
