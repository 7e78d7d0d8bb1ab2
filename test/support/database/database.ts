import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl, templateDatabase } from './postgres.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own, cloned from the migrated template, or an empty one. */
export async function createTestDatabase(template = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Files are copied more quickly than pages are logged: the template is small, and memory holds it.
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: databaseUrl(inject('serverUrl'), name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}

/** A few connections for a test's own questions. One that is cut because its database is dropped is no fault. */
export function openTestPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  // Two files that clone the template at once would find it in use.
  await client.query('select pg_advisory_lock(1)');
  await client.query(sql);
  await client.end();
}
