import { pino } from 'pino';
import { vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import type { FirstParts } from '../../src/start/first-parts.ts';
import { welcome } from '../../src/start/process/welcome.ts';
import { startService } from '../../src/start/service.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { cheapPasswords, operatorKey, patientCommits } from './service.ts';

/** The service as src/main.ts runs it, in this process. */
export interface ServiceHere {
  readonly url: string;
  /** Everything that it printed and logged so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Includes keys in the data directory, the embedded database (unless the environment names another) and the welcome text.
 * Takes a tenth of the time of a separate process, for tests that do not need signals or exit codes.
 */
export async function startHere(dataDir: string, env: Record<string, string> = {}): Promise<ServiceHere> {
  const given = { PORT: '0', OPERATOR_KEY: operatorKey, ...patientCommits };
  const config = readConfig({ ...given, DATA_DIR: dataDir, ...env });
  let text = '';
  const take = (part: unknown) => {
    text += part;
    return true;
  };
  const log = pino({ level: config.logLevel }, { write: take });
  const database =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: () => {} }) : null;
  const databaseUrl = config.databaseUrl ?? (database?.url as string);
  const none = Promise.resolve(null);
  const builds = { webApp: none, docsSite: none, sdk: none };
  const passwordCost = cheapPasswords;
  const deps = { config, databaseUrl, clock: systemClock, log, passwordCost, ...builds };
  const service = await startService(deps);
  await service.databaseReady;
  const saying = vi.spyOn(process.stdout, 'write').mockImplementation(take);
  const first = service.first as FirstParts;
  const { signal: stopping } = new AbortController();
  await welcome({ config, service, first, databaseUrl, stopping }).finally(() => saying.mockRestore());
  return {
    url: service.url,
    output: () => text,
    async stop() {
      await service.stop();
      await database?.stop();
    },
  };
}
