import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server with a migrated template database; each test file clones its own from it. */
    serverUrl: string;
  }
}

export const templateDatabase = 'leadgate_template';

/** One real PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadgate-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await makeTemplate(server.url);
  project.provide('serverUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${templateDatabase}`);
  await client.end();
  const pool = openPool(databaseUrl(serverUrl, templateDatabase), 2, pino({ level: 'silent' }));
  await migrate(databaseUrl(serverUrl, templateDatabase), pool);
  await pool.end();
}

export function databaseUrl(serverUrl: string, database: string): string {
  return serverUrl.replace('/leadgate?', `/${database}?`);
}
