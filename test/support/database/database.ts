import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl, templateDatabase } from './postgres.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new database, cloned from the migrated template or another one. */
export async function createTestDatabase(template = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files is faster than logging pages, because the template is small and in memory.
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: databaseUrl(inject('serverUrl'), name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}

/** A few connections for a test's own queries. Ignores errors of connections whose database was dropped. */
export function openTestPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  // Two files cannot clone the template at the same time.
  await client.query('select pg_advisory_lock(1)');
  await client.query(sql);
  await client.end();
}
