import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type Migrated, type MigrateOptions, migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';
import { dropDatabase } from '../support/database/database.ts';
import { databaseUrl } from '../support/database/postgres.ts';

/** A new database on all servers of the cluster of the tests, without Citus in it. */
export class OwnClusterDatabase {
  readonly name = `own_${randomBytes(6).toString('hex')}`;

  get url(): string {
    return databaseUrl(inject('serverUrl'), this.name);
  }

  get nodeUrls(): string[] {
    return inject('nodeUrls').map((url) => databaseUrl(url, this.name));
  }

  /** Of any database of each server. */
  get serverUrls(): string[] {
    return [inject('serverUrl'), ...inject('nodeUrls')];
  }

  /** Of the coordinator, with another role. */
  urlOf(role: string): string {
    return this.url.replace(/\/\/[^@]*@/, `//${role}@`);
  }

  async create(owner?: string): Promise<this> {
    await onServers((client) =>
      client.query(`create database ${this.name} ${owner === undefined ? '' : `owner ${owner}`}`),
    );
    return this;
  }

  /** Installs Citus everywhere, and makes the nodes known. */
  async becomeCluster({ nodes = this.nodeUrls.length } = {}): Promise<void> {
    for (const url of [this.url, ...this.nodeUrls]) await query(url, 'create extension citus');
    await query(this.url, `select citus_set_coordinator_host('127.0.0.1', ${await portOf(this.url)})`);
    for (const url of this.nodeUrls.slice(0, nodes))
      await query(this.url, `select citus_add_node('127.0.0.1', ${await portOf(url)})`);
  }

  async migrate(options?: Partial<MigrateOptions>, url = this.url): Promise<Migrated> {
    const pool = openPool(url, 2, pino({ level: 'silent' }));
    return migrate(url, pool, { isAtStart: false, tell: () => {}, ...options }).finally(() => pool.end());
  }

  drop(): Promise<void> {
    return dropDatabase(this.name);
  }
}

/** Rows of a statement, on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

export async function portOf(url: string): Promise<number> {
  const [row] = await query<{ port: number }>(url, `select current_setting('port')::int as port`);
  return row?.port as number;
}

async function onServers(act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  for (const connectionString of [inject('serverUrl'), ...inject('nodeUrls')]) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await act(client).finally(() => client.end());
  }
}
