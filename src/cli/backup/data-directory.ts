import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Config } from '../../config.ts';
import { clusterExists } from '../../db/embedded/cluster.ts';
import { EmbeddedError, InUseError } from '../../db/embedded/error.ts';
import { type DirectoryLock, lockDirectory } from '../../db/embedded/lock.ts';
import { requireWholeDirectory } from '../../db/embedded/restore-mark.ts';
import { clusterDirOf, startEmbeddedPostgres } from '../../db/embedded/server.ts';
import { encryptionKeyFile, previousEncryptionKeyFile } from '../../key-files.ts';
import { CliError } from '../exit.ts';

/** The parts of a data directory in a backup, by name. */
export const partNames = {
  cluster: 'postgres',
  spool: 'spool',
  keys: ['operator.key', encryptionKeyFile, previousEncryptionKeyFile],
} as const;

const asidePrefix = 'replaced-';

/** The folder for what a restore replaces. */
export function asideName(): string {
  return asidePrefix + new Date().toISOString().replaceAll(/[:.]/g, '-');
}

/** Where a restore copies to before it touches anything. */
export const stageName = 'restore.unfinished';

/** Left by an earlier restore: moved aside or unfinished, and no longer needed. */
export function isPutAside(name: string): boolean {
  return name.startsWith(asidePrefix) || name === stageName;
}

/** Where a part is on this machine: the spool may have a separate folder. */
export function placeOf({ dataDir, spoolDir }: Config, part: string): string {
  return part === partNames.spool ? spoolDir : join(dataDir, part);
}

export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new CliError(
    'usage',
    'This works only with the embedded database. With DATABASE_URL, use pg_dump and pg_restore, and keep ENCRYPTION_KEY and SPOOL_DIR.',
  );
}

/** Locks the data directory: no service can start in it until the lock is released. */
export async function lockStopped({ dataDir }: Config): Promise<DirectoryLock> {
  try {
    return await lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof InUseError)
      throw new CliError(
        'conflict',
        `${dataDir} is in use. Stop the service first: the embedded PostgreSQL cannot be copied while it runs.`,
      );
    throw error instanceof EmbeddedError ? new CliError('failure', error.message) : error;
  }
}

// The position of the server state in pg_control, and its value after a clean stop.
const stateOffset = 16;
const cleanState = 1;

export function isCleanlyStopped(dataDir: string): boolean {
  const control = readFileSync(join(clusterDirOf(dataDir), 'global/pg_control'));
  return (
    control.readUInt32LE(stateOffset) === cleanState &&
    !existsSync(join(clusterDirOf(dataDir), 'postmaster.pid'))
  );
}

/** Cleanly stops a server that was killed, or that a killed service left running. */
export async function stopCleanly({ dataDir }: Config): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await server.stop();
}

/** Which parts exist and are in the way of a restore that brings them. */
export function partsThere(config: Config, parts: ReadonlySet<string>): string[] {
  const names = [partNames.cluster, ...partNames.keys].filter(
    // A broken link is in the way too.
    (part) => parts.has(part) && lstatSync(placeOf(config, part), { throwIfNoEntry: false }) !== undefined,
  );
  const { spoolDir } = config;
  // Spooled leads belong to the database that is replaced, whether or not the backup has a spool.
  const isSpoolUsed = existsSync(spoolDir) && !readdirSync(spoolDir).every(isPutAside);
  return isSpoolUsed ? [...names, partNames.spool] : names;
}

/** Refuses a half-finished restore. */
export function requireWhole({ dataDir }: Config): void {
  try {
    requireWholeDirectory(dataDir);
  } catch (error) {
    throw new CliError('conflict', (error as Error).message);
  }
}

export function requireCluster({ dataDir }: Config): void {
  if (existsSync(dataDir) && clusterExists(clusterDirOf(dataDir))) return;
  throw new CliError('missing', `There is no database in ${dataDir}. Set DATA_DIR to the right folder.`);
}

/** A copy inside its own source would never end. */
export function requireOutside({ dataDir, spoolDir }: Config, backup: string): void {
  for (const folder of [dataDir, spoolDir]) {
    if (!relative(folder, backup).startsWith('..'))
      throw new CliError('usage', `The backup must not be inside ${folder}.`);
  }
}
