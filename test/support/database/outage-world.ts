import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { DirectorySnapshot } from '../../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { eventually, metricOf } from '../diagnostics.ts';
import { scratchFolder } from '../scratch.ts';
import { encryptionKey, startTestService, type TestService, type TestServiceOptions } from '../service.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type Outage, openDoor } from './outage.ts';

/** A database that can be made unavailable, services that use it, and a data directory that outlives them. */
export class OutageWorld {
  readonly outage: Outage;
  readonly dataDir = scratchFolder('outage');
  readonly #database: TestDatabase;
  #services: TestService[] = [];

  private constructor(database: TestDatabase, outage: Outage) {
    this.#database = database;
    this.outage = outage;
  }

  /** With a new database, or a copy of that of another world, which must not be in use at that moment. */
  static async create(template?: OutageWorld): Promise<OutageWorld> {
    const name = template && new URL(template.outage.databaseUrl).pathname.slice(1);
    const database = await createTestDatabase(name);
    return new OutageWorld(database, await openDoor(database.url));
  }

  async close(): Promise<void> {
    await this.outage.end();
    for (const service of this.#services) await service.stop();
    await this.outage.close();
    await this.#database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async start(options: TestServiceOptions = {}): Promise<TestService> {
    const env = { DATA_DIR: this.dataDir, COMMIT_DEADLINE_MS: '1000', ...options.env };
    const service = await startTestService({ ...options, databaseUrl: this.outage.databaseUrl, env });
    this.#services.push(service);
    return service;
  }

  async stop(service: TestService): Promise<void> {
    this.#services = this.#services.filter((other) => other !== service);
    await service.stop();
  }

  /** Ends the outage and waits until the spool is empty. */
  async recover(service: TestService): Promise<void> {
    await this.outage.end();
    await this.#awaitMetric(service, 'leadgate_database_available', 1);
    await this.#awaitMetric(service, 'leadgate_spool_leads', 0);
  }

  /** Waits until the current directory is in the snapshot on disk, where the next start would find it. */
  async snapshotKept(key = encryptionKey, dataDir = this.dataDir): Promise<void> {
    const snapshot = new DirectorySnapshot(join(dataDir, 'spool'), new SecretBox(key));
    const [present] = await this.query('select revision from directory_revision');
    const kept = async () => (await snapshot.read())?.revision;
    expect(await eventually(kept, (revision) => revision === present?.revision)).toBe(present?.revision);
  }

  /** Bypasses the proxy, so it works while PostgreSQL is down for the services. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#database.url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  async #awaitMetric(service: TestService, name: string, wanted: number): Promise<void> {
    const isThere = (value: number) => value === wanted;
    expect(await eventually(() => metricOf(service, name), isThere)).toBe(wanted);
  }
}
