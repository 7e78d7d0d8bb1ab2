import { runMigrations as migrateJobs } from 'graphile-worker';
import { sql } from 'kysely';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { createClient } from './hosts/clients.ts';
import { migrationsDir } from './pending-migrations.ts';
import { run } from './sql.ts';

// An arbitrary number that nothing else uses.
const lockKey = 7_241_905_331;

const connectTimeoutMs = 5_000;

/**
 * Brings the schema up to date and returns the names of the migrations it applied. Instances that start at the same time
 * wait for each other, however long it takes.
 */
export async function migrate(databaseUrl: string, pool: pg.Pool): Promise<string[]> {
  const client = createClient({
    databaseUrl,
    application_name: 'leadgate migrate',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await run(client, sql`select pg_advisory_lock(${lockKey})`);
    await migrateJobs({ pgPool: pool });
    const applied = await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      log: () => {},
    });
    return applied.map(({ name }) => name);
  } finally {
    // Closing the connection releases the lock.
    await client.end().catch(() => {});
  }
}
