import { join } from 'node:path';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const migrationsDir = join(import.meta.dirname, '../../migrations');
// Any number will do, as long as it is ours.
const lockKey = 7_241_905_331;

const connectTimeoutMs = 5_000;

/** Brings the schema up to date. Instances that start together wait for one another, however long it takes. */
export async function migrate(databaseUrl: string, pool: pg.Pool): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'leadgate migrate',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
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
    // Closing the connection releases the lock.
    await client.end().catch(() => {});
  }
}
