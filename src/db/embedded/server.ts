import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { createClient } from '../hosts/clients.ts';
import { firstRow } from '../sql.ts';
import { databaseAccount, giveTo } from './account.ts';
import { type Binaries, locateBinaries } from './binaries.ts';
import {
  type Cluster,
  clearLeftovers,
  clusterExists,
  clusterPath,
  createCluster,
  databaseUser,
  spawnOptions,
} from './cluster.ts';
import { EmbeddedError } from './error.ts';
import { lockDirectory, socketDirOf } from './lock.ts';
import { requireWholeDirectory } from './restore-mark.ts';
import { sharedBuffers } from './shared-buffers.ts';
import { Supervisor } from './supervisor.ts';
import { usableMemory } from './usable-memory.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Every line the database prints. */
  readonly log: (line: string) => void;
  /** Called before steps that take noticeably long. */
  readonly onProgress?: (text: string) => void;
  /** Replaces some of our settings, to measure what they change. */
  readonly settings?: Readonly<Record<string, string>>;
}

const databaseName = 'leadgate';
const ourSettings = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: sharedBuffers(usableMemory()),
  // Fewer checkpoints mean fewer full-page writes to the WAL, which inserts wait for.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // Compressing a page takes this server, which only knows pglz, about 100 µs: more than the rest of a lead.
  wal_compression: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  log_checkpoints: 'off',
};

export function clusterDirOf(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The URL of the server that a running service has started for this data directory. */
export function runningServerUrl(dataDir: string): string {
  return urlOf(socketDirOf(dataDir), databaseName);
}

/** Starts PostgreSQL as a child process that listens on a private Unix socket only. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, onProgress, settings } = options;
  mkdirSync(dataDir, { recursive: true });
  const lock = await lockDirectory(dataDir);
  try {
    requireWholeDirectory(dataDir);
    const dir = clusterDirOf(dataDir);
    const cluster = { dir, account: databaseAccount(dir) };
    giveTo(lock.socketDir, cluster.account);
    const binaries = await locateBinaries(cluster.account);
    if (!clusterExists(dir)) {
      onProgress?.('Creating the database. This takes a few seconds and happens only once.');
      await createCluster(cluster, binaries);
    }
    const start = async () => {
      await clearLeftovers(cluster);
      const all = { ...ourSettings, ...settings, unix_socket_directories: lock.socketDir };
      return startServer(cluster, binaries, all, log);
    };
    const supervisor = new Supervisor(start, log);
    await supervisor.start();
    await createDatabase(lock.socketDir).catch(async (error) => {
      await supervisor.stop();
      throw error;
    });
    return {
      url: urlOf(lock.socketDir, databaseName),
      get pid() {
        return supervisor.pid;
      },
      async stop() {
        await supervisor.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function startServer(
  cluster: Cluster,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<ChildProcess> {
  const options = Object.entries(settings);
  const child = spawn(
    binaries.postgres,
    ['-D', clusterPath(cluster), ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // In a separate process group: Ctrl-C must reach only the service, which still needs the database to flush.
    { ...spawnOptions(cluster), detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (child.pid !== undefined) endWithService(child, child.pid, cluster);
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.includes('database system is ready to accept connections')) resolve(child);
      lines.push(line);
      if (lines.length > 20) lines.shift();
      log(line);
    });
    child.once('error', reject);
    child.once('close', () => reject(new EmbeddedError(`The database did not start:\n${lines.join('\n')}`)));
  });
}

/**
 * Stops the server even if the service is killed: a shell waits on a pipe that the kernel closes when the service ends, and
 * then stops the server as the service would have. If that fails, the next start does it.
 */
function endWithService(server: ChildProcess, pid: number, cluster: Cluster): void {
  const script = 'read -r line; kill -INT "$1"';
  const options = { ...spawnOptions(cluster), cwd: '/', detached: true };
  const watcher = spawn('sh', ['-c', script, 'sh', String(pid)], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.once('error', () => {});
  watcher.stdin?.once('error', () => {});
  watcher.unref();
  (watcher.stdin as Socket | null)?.unref();
  // Before another process can get the server's process id.
  server.once('exit', () => watcher.kill('SIGKILL'));
}

async function createDatabase(socketDir: string): Promise<void> {
  const client = createClient({ databaseUrl: urlOf(socketDir, 'postgres') });
  await client.connect();
  const existing = await firstRow(client, sql`select from pg_database where datname = ${databaseName}`);
  if (existing === null) await client.query(`create database ${databaseName}`);
  await client.end();
}

function urlOf(socketDir: string, database: string): string {
  return `postgres://${databaseUser}@/${database}?host=${encodeURIComponent(socketDir)}`;
}
