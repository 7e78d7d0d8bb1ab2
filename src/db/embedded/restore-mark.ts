import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../disk/sync-folder.ts';
import { EmbeddedError } from './error.ts';

// Exists from the moment a restore moves the first part until the last one is in place.
const markName = 'restore.pending';

/** A start in a partly restored data directory would create an empty database in place of the missing one. */
export function requireWholeDirectory(dataDir: string): void {
  if (!existsSync(join(dataDir, markName))) return;
  throw new EmbeddedError(
    `A restore into ${dataDir} was interrupted. Run it again: leadgate restore <backup> --overwrite`,
  );
}

export function markRestore(dataDir: string): void {
  // Does not follow a link, which the owner of the folder may have placed there for root.
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  closeSync(openSync(join(dataDir, markName), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600));
  syncFolder(dataDir);
}

export function unmarkRestore(dataDir: string): void {
  syncFolder(dataDir);
  rmSync(join(dataDir, markName), { force: true });
  syncFolder(dataDir);
}
