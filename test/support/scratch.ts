import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run, which is removed after it. */
    runFolder: string;
  }
}

const memoryFolder = '/dev/shm';
// Several times what the databases of a whole run need at the same time.
const freeBytesMin = 4 * 1024 ** 3;
const namePrefix = 'leadgate-tests-';

/** A folder for all files of this run. */
export function makeRunFolder(): { path: string; remove(): void } {
  const base = hasSpace(memoryFolder) ? memoryFolder : tmpdir();
  removeLeftovers(base);
  const path = join(base, `${namePrefix}${process.pid}`);
  mkdirSync(path, { mode: 0o700 });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A new folder inside that of the run; in memory, where a sync costs nothing, if there is enough space. */
export function scratchFolder(name = 'data'): string {
  return mkdtempSync(join(inject('runFolder'), `${name}-`));
}

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) >= freeBytesMin;
  } catch {
    return false;
  }
}

/** Removes the folders of killed runs, which may take up memory. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    if (!name.startsWith(namePrefix) || isOtherRun(Number(name.slice(namePrefix.length)))) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // Belongs to another user.
    }
  }
}

/** A folder with our own process id was left by an earlier process with the same id. */
function isOtherRun(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
