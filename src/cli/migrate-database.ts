import type { Config } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { databaseError, withDatabase } from './database.ts';

export async function migrateDatabase(config: Config): Promise<string[]> {
  try {
    return await withDatabase(config, (pool, url) => migrate(url, pool));
  } catch (error) {
    throw databaseError(error);
  }
}
