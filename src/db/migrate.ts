import { join } from 'node:path';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';

const migrationsDir = join(import.meta.dirname, '../../migrations');
// Any number will do, as long as it is ours.
const lockKey = 7_241_905_331;

/** Brings the schema up to date. Instances that start together wait for one another. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await migrateJobs({ pgPool: pool });
    await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      log: () => {},
    });
  } finally {
    // Closing the connection releases the lock and the settings with it.
    client.release(true);
  }
}
