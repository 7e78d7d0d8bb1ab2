import { join } from 'node:path';
import type { Disk, DiskLock } from '../../disk/disk.ts';
import type { Clock } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import { isSegmentName } from './segment.ts';

const lockName = 'lock';
const cursorEnding = '.drained';
const damagedFolder = 'damaged';
const folderShape = /^[0-9a-z]{9}-[0-9a-f]{8}$/;

export interface FolderDeps {
  readonly disk: Disk;
  readonly root: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * The part of the spool that belongs to one process: a folder with segments, locked while the process lives. A folder
 * without a lock was left by a process that has ended; the process that locks it next drains it.
 */
export class SpoolFolder {
  readonly name: string;
  readonly dir: string;
  readonly #root: string;
  readonly #disk: Disk;
  readonly #lock: DiskLock;
  // Also kept in memory, because the disk may be too full for the cursor file: drained leads must not leave the stock twice.
  readonly #drainedTo = new Map<string, number>();
  #lastWrite: Promise<void> = Promise.resolve();

  private constructor({ root, disk }: FolderDeps, name: string, lock: DiskLock) {
    this.#root = root;
    this.#disk = disk;
    this.name = name;
    this.dir = join(root, name);
    this.#lock = lock;
  }

  /** Creates the folder of this process. Names sort by age. */
  static async create(deps: FolderDeps): Promise<SpoolFolder> {
    const { root, disk, clock, randomness } = deps;
    await disk.makeFolder(root);
    const name = `${clock.now().toString(36).padStart(9, '0')}-${randomness.hex(4)}`;
    await disk.makeFolder(join(root, name));
    const folder = await SpoolFolder.#take(deps, name);
    if (folder === null) throw new Error(`The new spool folder ${join(root, name)} is already in use.`);
    await disk.syncFolder(root);
    return folder;
  }

  /** The folders of processes that have ended, oldest first. */
  static async adoptAll(deps: FolderDeps, own: ReadonlySet<string>): Promise<SpoolFolder[]> {
    const names = (await deps.disk.list(deps.root)).filter(
      (name) => folderShape.test(name) && !own.has(name),
    );
    const adopted: SpoolFolder[] = [];
    for (const name of names.toSorted()) {
      const folder = await SpoolFolder.#take(deps, name).catch(nullIfMissing);
      if (folder !== null) adopted.push(folder);
    }
    return adopted;
  }

  static async #take(deps: FolderDeps, name: string): Promise<SpoolFolder | null> {
    const { disk, root } = deps;
    const lock = await disk.lock(join(root, name, lockName));
    return lock === null ? null : new SpoolFolder(deps, name, lock);
  }

  /** Oldest first. */
  async segments(): Promise<string[]> {
    return (await this.#disk.list(this.dir)).filter(isSegmentName).toSorted();
  }

  read(segment: string): Promise<Buffer> {
    return this.#disk.read(join(this.dir, segment));
  }

  /** How far a segment is drained. If it is lost, leads are stored a second time, which is idempotent. */
  async cursor(segment: string): Promise<number> {
    const known = this.#drainedTo.get(segment);
    if (known !== undefined) return known;
    const text = await this.#disk.read(join(this.dir, segment + cursorEnding)).catch(() => '0');
    const offset = Number(text.toString());
    return Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
  }

  setCursor(segment: string, offset: number): Promise<void> {
    this.#drainedTo.set(segment, offset);
    const path = join(this.dir, segment + cursorEnding);
    return this.#inTurn(async () => {
      await this.#disk.write(`${path}.new`, Buffer.from(String(offset)));
      await this.#disk.rename(`${path}.new`, path);
    });
  }

  discard(segment: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#disk.remove(join(this.dir, segment));
      await this.#disk.remove(join(this.dir, segment + cursorEnding));
      this.#drainedTo.delete(segment);
    });
  }

  /** Copies bytes without a valid record to a folder where an operator can inspect them. */
  async setAside(segment: string, from: number, bytes: Buffer): Promise<void> {
    const dir = join(this.#root, damagedFolder);
    await this.#disk.makeFolder(dir);
    await this.#disk.write(join(dir, `${this.name}-${segment}-${from}`), bytes);
  }

  /** Several nodes drain a segment at once. The digits of two cursors in one file could be those of leads that are not stored. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#lastWrite.then(write);
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  /** Unlocks the folder and removes it if it is empty. */
  async close(): Promise<void> {
    await this.#lock.release();
    await this.#disk.removeFolder(this.dir).catch(() => {});
  }
}

/** Null for a folder that its process has emptied and removed since it was listed. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
