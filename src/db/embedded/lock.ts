import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiskLock } from '../../disk/disk.ts';
import { takeSocketLock } from '../../disk/socket-lock.ts';
import { EmbeddedError, InUseError } from './error.ts';

/** One service at a time may own a data directory. */
export interface DirectoryLock {
  /** A private folder for sockets with a short path, because socket paths are limited to about 100 characters. */
  readonly socketDir: string;
  release(): Promise<void>;
}

export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const socketDir = privateSocketDir(dataDir);
  const lock = await takeSocketLock(join(socketDir, 'owner'));
  if (lock !== null) return { socketDir, release: () => release(lock, socketDir) };
  throw new InUseError(
    `${dataDir} is in use by another Leadgate. Stop it, or set a different DATA_DIR for this one.`,
  );
}

/** The same for every process, so that other commands find the server of a running service. */
export function socketDirOf(dataDir: string): string {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  return join(tmpdir(), `leadgate-${name}`);
}

function privateSocketDir(dataDir: string): string {
  const dir = socketDirOf(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(dir);
  const self = process.getuid?.();
  // As root, the folder belongs to the database's user. Otherwise a folder of another user cannot be trusted.
  if ((self !== 0 && self !== undefined && uid !== self) || (mode & 0o077) !== 0) {
    throw new EmbeddedError(
      `${dir} belongs to another user or is accessible to others. Remove it and start again.`,
    );
  }
  return dir;
}

async function release(lock: DiskLock, socketDir: string): Promise<void> {
  await lock.release();
  try {
    rmdirSync(socketDir);
  } catch {
    // Another process uses it already.
  }
}
