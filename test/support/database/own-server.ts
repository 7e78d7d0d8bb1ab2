import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { Postgres } from '../../../chaos/world/postgres.ts';
import { eventually } from '../diagnostics.ts';
import { scratchFolder } from '../scratch.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts';
import { copyCluster, databaseUrl } from './postgres.ts';

const database = 'leadgate';

/** A URL for all of these servers. */
export function urlOfAll(...places: readonly (OwnServer | string)[]): string {
  const hosts = places.map((each) => (typeof each === 'string' ? each : each.place));
  return `postgres://${inject('ownerRole')}@${hosts.join(',')}/${database}?target_session_attrs=read-write`;
}

/** A server process that waits for a synchronous standby. */
export interface Waiter {
  readonly pid: number;
  readonly application: string;
  readonly query: string;
}

/**
 * A separate PostgreSQL server with a migrated database, for tests that the shared server cannot be used for: it can have a
 * standby, be a standby, or wait for a standby that is down.
 */
export class OwnServer {
  readonly #root: string;
  readonly #postgres: Postgres;
  #services: TestService[] = [];
  #standby: OwnServer | null = null;
  #standbys = 0;

  private constructor(root: string, postgres: Postgres) {
    this.#root = root;
    this.#postgres = postgres;
  }

  static async create(): Promise<OwnServer> {
    const root = scratchFolder('server');
    const primary = join(root, 'primary');
    mkdirSync(primary);
    copyCluster(inject('preparedDataDir'), primary);
    const postgres = await Postgres.create(primary);
    return new OwnServer(root, postgres);
  }

  /** As the role that owns the database; `query` asks as a superuser. */
  get url(): string {
    return databaseUrl(this.#postgres.url(database), database, inject('ownerRole'));
  }

  /** This server as one of several hosts in a URL. */
  get place(): string {
    return encodeURIComponent(new URLSearchParams(this.url.split('?')[1]).get('host') as string);
  }

  query(sql: string): Promise<Record<string, unknown>[]> {
    return this.#postgres.query(sql, database);
  }

  /** A data directory that outlives the services that use it. */
  dataDir(name: string): string {
    return join(this.#root, 'data', name);
  }

  async start(options: TestServiceOptions = {}): Promise<TestService> {
    const service = await startTestService({ databaseUrl: this.url, ...options });
    this.#services.push(service);
    return service;
  }

  async stop(service: TestService): Promise<void> {
    this.#services = this.#services.filter((other) => other !== service);
    await service.stop();
  }

  /** Creates a hot standby. */
  async createStandby(): Promise<OwnServer> {
    const root = join(this.#root, `standby-${++this.#standbys}`);
    this.#standby = new OwnServer(root, await this.#postgres.createStandby(root));
    return this.#standby;
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  /** kill -9. */
  kill(): Promise<void> {
    return this.#postgres.kill();
  }

  /** Stops all its processes without closing connections, or lets them continue. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#postgres.freeze(signal);
  }

  /** Starts it again as whatever it was. */
  restart(): Promise<void> {
    return this.#postgres.start();
  }

  /** From now on, every commit waits until the standby has it. */
  async requireStandby(): Promise<void> {
    await this.#setStandbyNames(`'*'`);
    const rows = () => this.query(`select from pg_stat_replication where sync_state = 'sync'`);
    expect(await eventually(rows, ({ length }) => length === 1)).toHaveLength(1);
  }

  /** From now on, every commit waits for a synchronous standby that does not exist. */
  async loseStandby(): Promise<void> {
    await this.#setStandbyNames(`'away'`);
    // The server's processes read the setting one after the other; a commit that waits proves that it is in effect.
    const witness = new pg.Client({ connectionString: this.url, application_name: 'witness' });
    witness.on('error', () => {});
    await witness.connect();
    await witness.query('set synchronous_commit = on');
    const commitUntilEnded = async () => {
      for (;;) await witness.query(`select pg_logical_emit_message(true, 'test', '')`);
    };
    const ended = commitUntilEnded().catch(() => {});
    const { pid } = await this.waiter(({ application }) => application === 'witness');
    await this.query(`select pg_terminate_backend(${pid})`);
    await ended;
  }

  /** Commits no longer wait for a standby, and those that wait continue. */
  async returnStandby(): Promise<void> {
    await this.#setStandbyNames(`''`);
  }

  async waiters(): Promise<Waiter[]> {
    const rows = await this.query(
      `select pid, application_name as application, query from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    return rows as unknown as Waiter[];
  }

  /** Waits for a matching process that waits for the standby. */
  async waiter(isMeant: (waiter: Waiter) => boolean): Promise<Waiter> {
    const find = async () => (await this.waiters()).find(isMeant);
    const found = await eventually(find, (waiter) => waiter !== undefined);
    expect(found).toBeDefined();
    return found as Waiter;
  }

  /** Stops the services and the standby and removes their data, for the next test. */
  async clear(): Promise<void> {
    await this.#standby?.close();
    this.#standby = null;
    await this.returnStandby().catch(() => {});
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
    rmSync(join(this.#root, 'data'), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.clear();
    await this.#postgres.stop('SIGQUIT');
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #setStandbyNames(names: string): Promise<void> {
    await this.query(`alter system set synchronous_standby_names = ${names}`);
    await this.query('select pg_reload_conf()');
  }
}
