import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { createTestDatabase, openTestPool, type TestDatabase } from './database.ts';

const dir = join(import.meta.dirname, '../../../migrations');

/** A database as it was before a migration, for tests of what the migration does with existing rows. */
export async function createDatabaseBefore(migration: string): Promise<TestDatabase> {
  const database = await createTestDatabase('template0');
  const pool = openTestPool(database.url);
  await migrateJobs({ pgPool: pool });
  await pool.end();
  const dbClient = new pg.Client({ connectionString: database.url });
  await dbClient.connect();
  const count = readdirSync(dir).filter((name) => name < migration).length;
  await runner({
    dbClient,
    dir,
    direction: 'up',
    migrationsTable: 'migrations',
    noLock: true,
    count,
    log() {},
  });
  await dbClient.end();
  return database;
}
