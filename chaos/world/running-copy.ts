import { rmSync, writeFileSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { giveTo } from '../../src/db/embedded/account.ts';
import type { Cluster } from '../../src/db/embedded/cluster.ts';

/** Folders whose content the copy creates itself, or streams from the primary. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
/** Files that belong to the running server and its role. */
const leftOut = /^(?:postmaster\.(?:pid|opts)|(?:standby|recovery)\.signal|pg_internal\.init.*|pgsql_tmp.*)$/;

/**
 * Copies the files of a running server, which keeps accepting leads, to a new standby: PostgreSQL's low-level backup, because
 * the embedded binaries include no pg_basebackup. The connection must stay open in the meantime.
 */
export async function copyRunning(client: pg.Client, from: Cluster, to: Cluster): Promise<void> {
  rmSync(to.dir, { recursive: true, force: true });
  await client.query(`select pg_backup_start('copy', true)`);
  await mkdir(dirname(to.dir), { recursive: true });
  await copyFolder(from.dir, to.dir, to);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  const label = join(to.dir, 'backup_label');
  writeFileSync(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
  giveTo(label, to.account);
}

async function copyFolder(from: string, to: string, cluster: Cluster): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  giveTo(to, cluster.account);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.test(entry.name)) continue;
    if (!entry.isDirectory()) await copyIfThere(source, target, cluster);
    else if (emptied.has(entry.name)) await copyEmpty(target, cluster);
    else await copyFolder(source, target, cluster);
  }
}

async function copyEmpty(target: string, { account }: Cluster): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  giveTo(target, account);
}

/** PostgreSQL removes files at any time; the standby removes them when it replays that. */
async function copyIfThere(source: string, target: string, { account }: Cluster): Promise<void> {
  try {
    await copyFile(source, target);
    if (account !== null) await chown(target, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
