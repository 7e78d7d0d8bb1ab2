import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { databaseUser } from '../../../src/db/embedded/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/db/embedded/server.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openPool } from '../../../src/db/pool.ts';
import { makeRunFolder } from '../scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server with a migrated template database, which each test file clones. Its role is superuser. */
    serverUrl: string;
    /** The role that owns the databases of tests, and that services use: an ordinary one, except on a cluster. */
    ownerRole: string;
    /** The nodes of the Citus cluster whose coordinator that server is. Each file clones its database on all of them. */
    nodeUrls: readonly string[];
    /** A data directory with a migrated, unused database to copy. */
    preparedDataDir: string;
  }
}

export const templateDatabase = 'leadgate_template';
const ordinaryRole = 'leadgate_owner';

/** One real PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeRunFolder();
  project.provide('runFolder', folder.path);
  const dataDir = join(folder.path, 'server');
  const preparedDataDir = join(folder.path, 'prepared');
  await makeCluster(dataDir);
  mkdirSync(preparedDataDir);
  copyCluster(dataDir, preparedDataDir);
  project.provide('preparedDataDir', preparedDataDir);
  const server = await start(dataDir);
  await makeTemplate(server.url);
  project.provide('serverUrl', server.url);
  project.provide('ownerRole', ordinaryRole);
  project.provide('nodeUrls', []);
  return async () => {
    await server.stop();
    folder.remove();
  };
}

/** The server of the source must be stopped. Uses cp, because cpSync does not keep the owner. */
export function copyCluster(from: string, to: string): void {
  execFileSync('cp', ['-a', join(from, 'postgres'), to]);
}

export function databaseUrl(serverUrl: string, database: string, role = databaseUser): string {
  return serverUrl.replace(`//${databaseUser}@/leadgate?`, `//${role}@/${database}?`);
}

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => {} });
}

/** With the database of a service, migrated by an ordinary role that owns it. */
async function makeCluster(dataDir: string): Promise<void> {
  const server = await start(dataDir);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create role ${ordinaryRole} login; alter database leadgate owner to ${ordinaryRole}`);
  await client.end();
  const url = databaseUrl(server.url, 'leadgate', ordinaryRole);
  const pool = openPool(url, 2, pino({ level: 'silent' }));
  await migrate(url, pool);
  await pool.end();
  await server.stop();
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl, 'postgres') });
  await client.connect();
  await client.query(`alter database leadgate rename to ${templateDatabase}`);
  await client.query('create database leadgate');
  await client.end();
}
