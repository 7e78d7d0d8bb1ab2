import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../time/real-clock.ts';
import { type DatabaseAccount, giveTo } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError } from './error.ts';

export const databaseUser = 'leadgate';

const stopPollMs = 20;
const stopTimeoutMs = 60_000;

/** A directory with the files of one PostgreSQL server. */
export interface Cluster {
  readonly dir: string;
  readonly account: DatabaseAccount | null;
}

export function clusterExists(dir: string): boolean {
  return existsSync(join(dir, 'PG_VERSION'));
}

/** Created under another name and renamed when complete, so that an interrupted first start leaves no partial cluster. */
export async function createCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
  const unfinished = { ...cluster, dir: `${cluster.dir}.unfinished` };
  rmSync(unfinished.dir, { recursive: true, force: true });
  mkdirSync(unfinished.dir, { recursive: true, mode: 0o700 });
  giveTo(unfinished.dir, cluster.account);
  await run(binaries.initdb, unfinished, [
    `--username=${databaseUser}`,
    // Only the owner of the private socket folder can connect.
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
  ]);
  rmSync(cluster.dir, { recursive: true, force: true });
  renameSync(unfinished.dir, cluster.dir);
}

/**
 * The path of the cluster for a child process. As root, the child starts in the folder before it drops its privileges, so that
 * it needs no access to the folders above, which may be private to root.
 */
export function clusterPath({ dir, account }: Cluster): string {
  return account !== null && process.platform === 'linux' ? '/proc/self/cwd' : dir;
}

export function spawnOptions({ dir, account }: Cluster) {
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };
  return { cwd: dir, env, ...(account === null ? {} : { uid: account.uid, gid: account.gid }) };
}

/**
 * Stops a server that a killed service left running, and removes the lock file of one that has ended. The process id
 * alone proves nothing, because another program may have got it since.
 */
export async function clearLeftovers({ dir }: Cluster): Promise<void> {
  const lockFile = join(dir, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (!isServerOf(pid, dir)) {
    rmSync(lockFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isServerOf(pid, dir); waited += stopPollMs) {
    if (waited > stopTimeoutMs)
      throw new EmbeddedError(`The database of an earlier run (process ${pid}) does not stop.`);
    await systemClock.sleep(stopPollMs);
  }
}

function isServerOf(pid: number, dir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    // A server's working directory is its cluster. Without /proc, look for it in the command line.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(dir);
  } catch {
    return false;
  }
}

function run(program: string, cluster: Cluster, options: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['-D', clusterPath(cluster), ...options], spawnOptions(cluster));
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new EmbeddedError(`The database could not be created:\n${output.trim()}`)),
    );
  });
}
