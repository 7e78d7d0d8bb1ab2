import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Without it, a crash may undo that a file in the folder was created, renamed or removed. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
