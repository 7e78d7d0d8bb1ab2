import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isInterrupted, undoLater } from '../../bench/undo.ts';
import { databaseAccount, giveTo } from '../../src/db/embedded/account.ts';
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

const settings = { listen_addresses: '', max_connections: '100', shared_buffers: '64MB', jit: 'off' };
const startPauseMs = 100;
const startMsMax = 60_000;

/**
 * The embedded PostgreSQL of the service, but nothing restarts it: once killed, it stays down until the scenario starts it
 * again. Settings that make commits durable keep their defaults.
 */
export class Postgres {
  readonly #cluster: Cluster;
  readonly #binaries: Binaries;
  readonly #socketDir: string;
  #child: ChildProcess | null = null;
  /** Times it was killed on purpose. */
  kills = 0;

  private constructor(cluster: Cluster, binaries: Binaries, socketDir: string) {
    this.#cluster = cluster;
    this.#binaries = binaries;
    this.#socketDir = socketDir;
  }

  /** Uses the cluster in this folder, or creates one. */
  static async create(dataDir: string): Promise<Postgres> {
    const dir = join(dataDir, 'postgres');
    const cluster = { dir, account: databaseAccount(dir) };
    const binaries = await locateBinaries(cluster.account);
    if (!clusterExists(dir)) await createCluster(cluster, binaries);
    return Postgres.#run(cluster, binaries);
  }

  /** A hot standby of this server, created from the files of the stopped server because there is no pg_basebackup. */
  async createStandby(dataDir: string): Promise<Postgres> {
    const { account } = this.#cluster;
    const dir = join(dataDir, 'postgres');
    await this.stop();
    mkdirSync(dataDir, { recursive: true });
    // Unlike cpSync, keeps the owner.
    execFileSync('cp', ['-a', this.#cluster.dir, dir]);
    const signal = join(dir, 'standby.signal');
    writeFileSync(signal, '', { mode: 0o600 });
    giveTo(signal, account);
    appendFileSync(
      join(dir, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${this.#socketDir} user=${databaseUser}'\n`,
    );
    await this.start();
    return Postgres.#run({ dir, account }, this.#binaries);
  }

  static async #run(cluster: Cluster, binaries: Binaries): Promise<Postgres> {
    // Not below the data directory: the path of a socket may have about 100 characters.
    const socketDir = mkdtempSync(join(tmpdir(), 'leadgate-chaos-'));
    undoLater(async () => rmSync(socketDir, { recursive: true, force: true }));
    giveTo(socketDir, cluster.account);
    const postgres = new Postgres(cluster, binaries, socketDir);
    undoLater(() => postgres.kill());
    await postgres.start();
    return postgres;
  }

  get socketPath(): string {
    return join(this.#socketDir, '.s.PGSQL.5432');
  }

  url(database: string): string {
    return `postgres://${databaseUser}@/${database}?host=${encodeURIComponent(this.#socketDir)}`;
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

  /** SIGINT is PostgreSQL's "fast", SIGQUIT its "immediate" shutdown. */
  stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    return this.#end(signal);
  }

  /** Freezes the server and all its connections, or lets them continue. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    for (const each of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(each, signal);
      } catch {
        // A connection that has ended needs no signal.
      }
    }
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
    const options = Object.entries({ ...settings, unix_socket_directories: this.#socketDir });
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

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parentPid]) => (parentPid === parent && pid !== undefined ? [pid] : []));
}
