import type { Config } from '../config.ts';
import { isReadOnly, isRefusedLogin } from '../db/errors.ts';
import { migrate } from '../db/migrate.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { withDatabase } from './database.ts';
import { CliError } from './exit.ts';

export async function migrateDatabase(config: Config): Promise<string[]> {
  try {
    return await withDatabase(config, (pool, url) => migrate(url, pool));
  } catch (error) {
    if (isReadOnly(error))
      throw new CliError(
        'failure',
        'The server is a standby or read-only. Point DATABASE_URL at the primary.',
      );
    const { message } = error as Error;
    if (isRefusedLogin(error)) throw new CliError('usage', `PostgreSQL refuses DATABASE_URL: ${message}.`);
    if (!isUnavailable(error)) throw error;
    throw new CliError('unreachable', `PostgreSQL does not respond: ${message || 'no connection'}.`);
  }
}
