import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { closeConnections } from '../../../chaos/world/citus/cluster.ts';
import { databaseUrl, templateDatabase } from './postgres.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new database, cloned from the migrated template or another one. */
export async function createTestDatabase(template = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServers((client) => clone(client, template, name));
  return {
    url: databaseUrl(inject('serverUrl'), name, inject('ownerRole')),
    drop: () => dropDatabase(name),
  };
}

/** From all servers. */
export async function dropDatabase(name: string): Promise<void> {
  for (const node of inject('nodeUrls')) await endPrepared(databaseUrl(node, name));
  await onServers((client) => client.query(`drop database if exists ${name} with (force)`));
}

/** What a killed transaction of several nodes left prepared would keep the database of the node in use. */
async function endPrepared(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select gid from pg_prepared_xacts where database = current_database()',
  );
  for (const { gid } of rows) await client.query(`rollback prepared '${gid}'`);
  await client.end();
}

/** A few connections for a test's own queries. Ignores errors of connections whose database was dropped. */
export function openTestPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function clone(client: pg.Client, template: string, name: string): Promise<void> {
  // On a cluster, Citus keeps connections to a database that was in use.
  if (inject('nodeUrls').length > 0) await closeConnections(client, template);
  // Copying files is faster than logging pages, because the template is small and in memory.
  await client.query(
    `create database ${name} owner ${inject('ownerRole')} template ${template} strategy file_copy`,
  );
}

/** On the server of the tests, or on all servers of the cluster, because a database of Citus is on each. */
async function onServers(act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  for (const connectionString of [inject('serverUrl'), ...inject('nodeUrls')]) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    // Two files cannot clone the template at the same time.
    await client.query('select pg_advisory_lock(1)');
    await act(client);
    await client.end();
  }
}
