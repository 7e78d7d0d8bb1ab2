import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run, which is gone after it. */
    runFolder: string;
  }
}

const memoryFolder = '/dev/shm';
// What the databases of a whole run need at the same time, several times over.
const roomBytesMin = 4 * 1024 ** 3;
const namePrefix = 'leadgate-tests-';

/** A folder for all that the tests of this run write, and what removes it. */
export function makeRunFolder(): { path: string; remove(): void } {
  const base = hasRoom(memoryFolder) ? memoryFolder : tmpdir();
  removeLeftovers(base);
  const path = join(base, `${namePrefix}${process.pid}`);
  mkdirSync(path, { mode: 0o700 });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A new folder inside that of the run: in memory, where a sync costs nothing, if the machine has the room. */
export function scratchFolder(name = 'data'): string {
  return mkdtempSync(join(inject('runFolder'), `${name}-`));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) >= roomBytesMin;
  } catch {
    return false;
  }
}

/** A run that was killed could not remove its folder, which may take up memory. */
function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    if (!name.startsWith(namePrefix) || isOtherRun(Number(name.slice(namePrefix.length)))) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}

/** One with our own process id is of a process that had it before. */
function isOtherRun(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
