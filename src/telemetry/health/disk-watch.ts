import { stat, statfs } from 'node:fs/promises';
import { type Clock, type Loop, minuteMs, secondMs } from '../../time/clock.ts';

export interface DiskUse {
  readonly folder: 'data' | 'spool';
  /** What the user of the service can fill: without the part that the system reserves. */
  readonly bytesTotal: number;
  readonly bytesAvailable: number;
}

export interface DiskWatchDeps {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly spoolDir: string;
}

const pauseMs = 10 * secondMs;
// A disk that no longer responds is unknown, not as it was.
const ageMsMax = minuteMs;

/** Reads the space on the disks in the background: a disk that hangs must hold up nobody who asks. */
export class DiskWatch {
  readonly #deps: DiskWatchDeps;
  #seen: { readonly at: number; readonly disks: readonly DiskUse[] } | null = null;
  #loop: Loop | undefined;

  constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
  }

  /** Empty if unknown. */
  get disks(): readonly DiskUse[] {
    const isFresh = this.#seen !== null && this.#deps.clock.monotonic() - this.#seen.at <= ageMsMax;
    return isFresh ? (this.#seen?.disks ?? []) : [];
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.look(), { pauseMs });
  }

  /** Does not wait for a disk that hangs. */
  async stop(): Promise<void> {
    void this.#loop?.stop();
  }

  async look(): Promise<void> {
    const { clock, dataDir, spoolDir } = this.#deps;
    const data = await readDisk('data', dataDir);
    const spool = await readDisk('spool', spoolDir);
    const isSame = data !== null && spool !== null && data.device === spool.device;
    const found = isSame ? [data] : [data, spool];
    this.#seen = { at: clock.monotonic(), disks: found.flatMap((disk) => disk?.use ?? []) };
  }
}

async function readDisk(
  folder: DiskUse['folder'],
  path: string,
): Promise<{ use: DiskUse; device: number } | null> {
  try {
    const [{ dev }, { blocks, bfree, bavail, bsize }] = await Promise.all([stat(path), statfs(path)]);
    const bytesTotal = (blocks - bfree + bavail) * bsize;
    return { device: dev, use: { folder, bytesTotal, bytesAvailable: bavail * bsize } };
  } catch {
    return null;
  }
}

/** From 0 to 100, of the fullest disk. */
export function usedPercent(disks: readonly DiskUse[]): number | null {
  const used = disks
    .filter(({ bytesTotal }) => bytesTotal > 0)
    .map(({ bytesTotal, bytesAvailable }) => (1 - bytesAvailable / bytesTotal) * 100);
  return used.length === 0 ? null : Math.max(...used);
}
