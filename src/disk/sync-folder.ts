import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Without it a crash may forget that a file in the folder was made, renamed or removed. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
