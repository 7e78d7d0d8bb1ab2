import type { Config } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { databaseError, withDatabase } from './database.ts';

export async function migrateDatabase(config: Config): Promise<readonly string[]> {
  try {
    return await withDatabase(config, async (pool, url) => (await migrate(url, pool)).applied);
  } catch (error) {
    throw databaseError(error);
  }
}
