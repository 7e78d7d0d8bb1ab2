import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Config, encryptionKeyFile, previousEncryptionKeyFile } from '../../config.ts';
import { clusterExists } from '../../db/embedded/cluster.ts';
import { EmbeddedError, InUseError } from '../../db/embedded/error.ts';
import { type DirectoryLock, lockDirectory } from '../../db/embedded/lock.ts';
import { requireWholeDirectory } from '../../db/embedded/restore-mark.ts';
import { clusterDirOf, startEmbeddedPostgres } from '../../db/embedded/server.ts';
import { CliError } from '../exit.ts';

/** The parts of a data directory that a backup holds, by the names they have there. */
export const partNames = {
  cluster: 'postgres',
  spool: 'spool',
  keys: ['operator.key', encryptionKeyFile, previousEncryptionKeyFile],
} as const;

const asidePrefix = 'replaced-';

/** The name of the folder for what a restore replaces. */
export function asideName(): string {
  return asidePrefix + new Date().toISOString().replaceAll(/[:.]/g, '-');
}

/** Where a restore copies to, before anything that is there is touched. */
export const stageName = 'restore.unfinished';

/** What an earlier restore has put aside, or left unfinished, belongs to nobody any more. */
export function isPutAside(name: string): boolean {
  return name.startsWith(asidePrefix) || name === stageName;
}

/** Where a part is on this machine: the spool may have a folder of its own. */
export function placeOf({ dataDir, spoolDir }: Config, part: string): string {
  return part === partNames.spool ? spoolDir : join(dataDir, part);
}

export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new CliError(
    'usage',
    'This is for the embedded database. With DATABASE_URL set, use pg_dump and pg_restore, and keep ENCRYPTION_KEY and SPOOL_DIR.',
  );
}

/** Owns the data directory: no service can start in it until the lock is released. */
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

// Where pg_control says in which state the server was left, and the value for a clean stop.
const stateOffset = 16;
const cleanState = 1;

export function isCleanlyStopped(dataDir: string): boolean {
  const control = readFileSync(join(clusterDirOf(dataDir), 'global/pg_control'));
  return (
    control.readUInt32LE(stateOffset) === cleanState &&
    !existsSync(join(clusterDirOf(dataDir), 'postmaster.pid'))
  );
}

/** A server that was killed, or left running by a killed service, is brought to a clean end. */
export async function stopCleanly({ dataDir }: Config): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await server.stop();
}

/** Which of the parts are there, and in the way of a restore that brings them. */
export function partsThere(config: Config, parts: ReadonlySet<string>): string[] {
  const names = [partNames.cluster, ...partNames.keys].filter(
    // Also a link to nowhere is in the way.
    (part) => parts.has(part) && lstatSync(placeOf(config, part), { throwIfNoEntry: false }) !== undefined,
  );
  const { spoolDir } = config;
  // Leads that wait in a spool belong to the database that is replaced, whether the backup has a spool or not.
  const isSpoolUsed = existsSync(spoolDir) && !readdirSync(spoolDir).every(isPutAside);
  return isSpoolUsed ? [...names, partNames.spool] : names;
}

/** Neither half old nor half new. */
export function requireWhole({ dataDir }: Config): void {
  try {
    requireWholeDirectory(dataDir);
  } catch (error) {
    throw new CliError('conflict', (error as Error).message);
  }
}

export function requireCluster({ dataDir }: Config): void {
  if (existsSync(dataDir) && clusterExists(clusterDirOf(dataDir))) return;
  throw new CliError('missing', `There is no database in ${dataDir}. Set DATA_DIR to the one you mean.`);
}

/** A copy inside what is copied would never end. */
export function requireOutside({ dataDir, spoolDir }: Config, backup: string): void {
  for (const folder of [dataDir, spoolDir]) {
    if (!relative(folder, backup).startsWith('..'))
      throw new CliError('usage', `The backup must not be inside ${folder}.`);
  }
}
