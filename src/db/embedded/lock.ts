import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiskLock } from '../../disk/disk.ts';
import { takeSocketLock } from '../../disk/socket-lock.ts';
import { EmbeddedError, InUseError } from './error.ts';

/** One service at a time may own a data directory. */
export interface DirectoryLock {
  /** A private folder with a short path, for sockets: the paths of sockets may have about 100 characters. */
  readonly socketDir: string;
  release(): Promise<void>;
}

export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const socketDir = privateSocketDir(dataDir);
  const lock = await takeSocketLock(join(socketDir, 'owner'));
  if (lock !== null) return { socketDir, release: () => release(lock, socketDir) };
  throw new InUseError(
    `${dataDir} is in use by another Leadgate. Stop that one, or give this one its own DATA_DIR.`,
  );
}

/** The same for everybody who asks, so that others find the server of a running service. */
export function socketDirOf(dataDir: string): string {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  return join(tmpdir(), `leadgate-${name}`);
}

function privateSocketDir(dataDir: string): string {
  const dir = socketDirOf(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(dir);
  const self = process.getuid?.();
  // As root the folder belongs to the database's user; anybody else's folder must not be trusted.
  if ((self !== 0 && self !== undefined && uid !== self) || (mode & 0o077) !== 0) {
    throw new EmbeddedError(
      `${dir} belongs to somebody else or is open to others. Remove it and start again.`,
    );
  }
  return dir;
}

async function release(lock: DiskLock, socketDir: string): Promise<void> {
  await lock.release();
  try {
    rmdirSync(socketDir);
  } catch {
    // Somebody else owns it by now.
  }
}
