import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../disk/sync-folder.ts';
import { EmbeddedError } from './error.ts';

// There from the moment a restore moves the first part until the last one is in place.
const markName = 'restore.pending';

/** Half old and half new, a data directory must not be started: a start would make an empty database of what is missing. */
export function requireWholeDirectory(dataDir: string): void {
  if (!existsSync(join(dataDir, markName))) return;
  throw new EmbeddedError(
    `A restore into ${dataDir} was interrupted. Run it again: leadgate restore <backup> --overwrite`,
  );
}

export function markRestore(dataDir: string): void {
  // Not through a link that its owner has put there for root.
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  closeSync(openSync(join(dataDir, markName), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600));
  syncFolder(dataDir);
}

export function unmarkRestore(dataDir: string): void {
  syncFolder(dataDir);
  rmSync(join(dataDir, markName), { force: true });
  syncFolder(dataDir);
}
