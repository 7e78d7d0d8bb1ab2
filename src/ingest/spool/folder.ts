import { mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SocketLock, takeSocketLock } from '../../socket-lock.ts';
import type { Clock } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import { isSegmentName } from './segment.ts';

const lockName = 'lock';
const cursorEnding = '.drained';
const damagedFolder = 'damaged';
const folderShape = /^[0-9a-z]{9}-[0-9a-f]{8}$/;

interface NewFolder {
  readonly root: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * The part of the spool that belongs to one process: a folder with segments, locked as long as the process lives.
 * A folder that nobody holds was left by a process that ended; whoever takes its lock drains it.
 */
export class SpoolFolder {
  readonly name: string;
  readonly dir: string;
  readonly #root: string;
  readonly #lock: SocketLock;
  // What the disk may be too full for. What was drained is no longer in stock, and must not be taken from it again.
  readonly #drainedTo = new Map<string, number>();

  private constructor(root: string, name: string, lock: SocketLock) {
    this.#root = root;
    this.name = name;
    this.dir = join(root, name);
    this.#lock = lock;
  }

  /** A new folder of this process. Names sort by age. */
  static async create({ root, clock, randomness }: NewFolder): Promise<SpoolFolder> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const name = `${clock.now().toString(36).padStart(9, '0')}-${randomness.hex(4)}`;
    const folder = await SpoolFolder.#take(root, name);
    if (folder === null) throw new Error(`The new spool folder ${join(root, name)} is taken already.`);
    await syncDirectory(root);
    return folder;
  }

  /** The folders of processes that have ended, oldest first. */
  static async adoptAll(root: string, own: ReadonlySet<string>): Promise<SpoolFolder[]> {
    const names = (await readdir(root)).filter((name) => folderShape.test(name) && !own.has(name));
    const adopted: SpoolFolder[] = [];
    for (const name of names.toSorted()) {
      const folder = await SpoolFolder.#take(root, name);
      if (folder !== null) adopted.push(folder);
    }
    return adopted;
  }

  static async #take(root: string, name: string): Promise<SpoolFolder | null> {
    await mkdir(join(root, name), { recursive: true, mode: 0o700 });
    const lock = await takeSocketLock(join(root, name, lockName));
    return lock === null ? null : new SpoolFolder(root, name, lock);
  }

  /** Oldest first. */
  async segments(): Promise<string[]> {
    return (await readdir(this.dir)).filter(isSegmentName).toSorted();
  }

  read(segment: string): Promise<Buffer> {
    return readFile(join(this.dir, segment));
  }

  /** How far a segment is drained. Losing it, with the process, costs a repeat of what is idempotent. */
  async cursor(segment: string): Promise<number> {
    const known = this.#drainedTo.get(segment);
    if (known !== undefined) return known;
    const text = await readFile(join(this.dir, segment + cursorEnding), 'utf8').catch(() => '0');
    const offset = Number(text);
    return Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
  }

  async setCursor(segment: string, offset: number): Promise<void> {
    this.#drainedTo.set(segment, offset);
    const path = join(this.dir, segment + cursorEnding);
    await writeFile(`${path}.new`, String(offset), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async discard(segment: string): Promise<void> {
    await rm(join(this.dir, segment), { force: true });
    await rm(join(this.dir, segment + cursorEnding), { force: true });
    this.#drainedTo.delete(segment);
  }

  /** Keeps bytes that hold no sound record, for whoever wants to look at them. */
  async setAside(segment: string, from: number, bytes: Buffer): Promise<void> {
    const dir = join(this.#root, damagedFolder);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(join(dir, `${this.name}-${segment}-${from}`), bytes, { mode: 0o600 });
  }

  /** Lets go of the folder; an empty one is removed. */
  async close(): Promise<void> {
    await this.#lock.release();
    await rmdir(this.dir).catch(() => {});
  }
}

/** Without it a crash may forget that a file was ever made. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
