import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isInterrupted, undoLater } from '../../bench/undo.ts';
import { type DatabaseAccount, databaseAccount, giveTo } from '../../src/db/embedded/account.ts';
import { type Binaries, locateBinaries } from '../../src/db/embedded/binaries.ts';
import {
  type Cluster,
  clearLeftovers,
  clusterExists,
  clusterPath,
  createCluster,
  databaseUser,
  spawnOptions,
} from '../../src/db/embedded/cluster.ts';
import { childrenOf, signal } from './processes.ts';
import { copyRunning } from './running-copy.ts';

/** The programs of a server, how its files are created, and the settings it starts with. */
export interface Engine {
  readonly settings: Readonly<Record<string, string>>;
  locate(account: DatabaseAccount | null): Promise<Binaries>;
  create(cluster: Cluster, binaries: Binaries): Promise<void>;
}

const settings = {
  max_connections: '100',
  shared_buffers: '64MB',
  jit: 'off',
  // A standby that was down, or was copied under load, finds what it lacks.
  wal_keep_size: '1GB',
  // A standby tries to reach its primary again after this, instead of five seconds.
  wal_retrieve_retry_interval: '500ms',
  // Says when each lead was committed.
  track_commit_timestamp: 'on',
};
/** The PostgreSQL that the service brings. */
const embedded: Engine = { settings, locate: locateBinaries, create: createCluster };
const usualPort = 5432;
const startPauseMs = 100;
const startMsMax = 60_000;

/**
 * The embedded PostgreSQL of the service, but nothing restarts it: once killed, it stays down until the scenario starts it
 * again. Settings that make commits durable keep their defaults.
 */
export class Postgres {
  readonly #cluster: Cluster;
  readonly #binaries: Binaries;
  readonly #settings: Engine['settings'];
  readonly #socketDir: string;
  /** On the loopback interface; null when it listens on its socket only. */
  readonly port: number | null;
  #child: ChildProcess | null = null;
  /** Times it was killed on purpose. */
  kills = 0;

  private constructor(
    cluster: Cluster,
    binaries: Binaries,
    settings: Engine['settings'],
    port: number | null,
  ) {
    this.#cluster = cluster;
    this.#binaries = binaries;
    this.#settings = settings;
    this.port = port;
    // Not below the data directory: the path of a socket may have about 100 characters.
    this.#socketDir = mkdtempSync(join(tmpdir(), 'leadgate-chaos-'));
    giveTo(this.#socketDir, cluster.account);
    undoLater(async () => rmSync(this.#socketDir, { recursive: true, force: true }));
    undoLater(() => this.kill());
  }

  /** Uses the cluster in this folder, or creates one. */
  static async create(dataDir: string, port: number | null = null, engine = embedded): Promise<Postgres> {
    const dir = join(dataDir, 'postgres');
    const cluster = { dir, account: databaseAccount(dir) };
    const binaries = await engine.locate(cluster.account);
    if (!clusterExists(dir)) await engine.create(cluster, binaries);
    const postgres = new Postgres(cluster, binaries, engine.settings, port);
    await postgres.start();
    return postgres;
  }

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A hot standby of this server, which must be running. */
  async createStandby(dataDir: string, port: number | null = null): Promise<Postgres> {
    const cluster = { dir: join(dataDir, 'postgres'), account: this.#cluster.account };
    const standby = new Postgres(cluster, this.#binaries, this.#settings, port);
    await standby.copy(this);
    return standby;
  }

  /** Replaces the files of this server, which must be down, by those of a running one, and follows that as a standby. */
  async copy(primary: Postgres, standbyName?: string): Promise<void> {
    const client = new pg.Client({ connectionString: primary.url('postgres') });
    await client.connect();
    try {
      await copyRunning(client, primary.#cluster, this.#cluster);
    } finally {
      await client.end();
    }
    await this.follow(primary, standbyName);
  }

  /**
   * Starts as a standby of another server. Settings that belong to the role of a server are its own: those of a primary that
   * the files were copied from, or that this server was, are removed.
   */
  async follow(primary: Postgres, standbyName = 'standby'): Promise<void> {
    const source = `host=${primary.#socketDir} port=${primary.#portNumber} user=${databaseUser} application_name=${standbyName}`;
    this.#write('standby.signal', '');
    this.#write('postgresql.auto.conf', `primary_conninfo = '${source}'\n`);
    await this.start();
  }

  get socketPath(): string {
    return join(this.#socketDir, `.s.PGSQL.${this.#portNumber}`);
  }

  url(database: string): string {
    const place = `host=${encodeURIComponent(this.#socketDir)}&port=${this.#portNumber}`;
    return `postgres://${databaseUser}@/${database}?${place}`;
  }

  async createDatabase(name: string): Promise<void> {
    await this.query(`create database ${name}`);
  }

  /** Uses its own connection and closes it. */
  async query(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  get isUp(): boolean {
    return this.#child !== null;
  }

  /** Returns when it accepts connections again, including crash recovery. */
  async start(): Promise<void> {
    const deadline = Date.now() + startMsMax;
    while (this.#child === null) {
      if (isInterrupted()) throw new Error('Interrupted');
      await clearLeftovers(this.#cluster);
      this.#child = await this.#spawn();
      // The remaining processes of a killed server need a moment to release its memory.
      if (this.#child === null) await sleep(startPauseMs);
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start again');
    }
  }

  /** kill -9 of the server. Its connections end when they notice. */
  async kill(): Promise<void> {
    if (this.isUp) this.kills++;
    await this.#end('SIGKILL');
  }

  /** kill -9 of the server and of all its processes, as when the machine stops. */
  async killAll(): Promise<void> {
    const processes = this.#processes();
    await this.kill();
    for (const pid of processes) signal(pid, 'SIGKILL');
  }

  /** SIGINT is PostgreSQL's "fast", SIGQUIT its "immediate" shutdown. */
  stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    return this.#end(signal);
  }

  /** Freezes the server and all its connections, or lets them continue. */
  freeze(name: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#processes()) signal(pid, name);
  }

  get #portNumber(): number {
    return this.port ?? usualPort;
  }

  #processes(): number[] {
    const pid = this.#child?.pid;
    return pid === undefined ? [] : [pid, ...childrenOf(pid)];
  }

  #write(file: string, text: string): void {
    const path = join(this.#cluster.dir, file);
    writeFileSync(path, text, { mode: 0o600 });
    giveTo(path, this.#cluster.account);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  #spawn(): Promise<ChildProcess | null> {
    const options = Object.entries({
      ...this.#settings,
      unix_socket_directories: this.#socketDir,
      listen_addresses: this.port === null ? '' : '127.0.0.1',
      port: String(this.#portNumber),
    });
    const child = spawn(
      this.#binaries.postgres,
      ['-D', clusterPath(this.#cluster), ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...spawnOptions(this.#cluster), detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
        if (/ready to accept (?:read-only )?connections/.test(line)) resolve(child);
      });
      child.once('error', reject).once('exit', () => resolve(null));
    });
  }
}
