import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../../src/disk/disk.ts';
import type { Life } from '../life.ts';
import type { FileContents } from './files.ts';
import { fault, type HostDisk } from './host-disk.ts';

const usualMs = [0.02, 2] as const;
const slowMs = [50, 1_500] as const;
const syncMs = [0.5, 6] as const;
const failureShare = 0.3;

/** The disk of a machine as used by one process: every call takes time, may fail, and may be the last. */
export class ProcessDisk implements Disk {
  readonly #host: HostDisk;
  readonly #life: Life;

  constructor(host: HostDisk, life: Life) {
    this.#host = host;
    this.#life = life;
  }

  makeFolder(path: string): Promise<void> {
    return this.#do(() => this.#host.addFolder(path));
  }

  list(path: string): Promise<string[]> {
    return this.#do(() => this.#host.list(path));
  }

  read(path: string): Promise<Buffer> {
    return this.#do(() => this.#host.file(path).live);
  }

  /** Two who write the same file at the same time mix their contents. */
  async write(path: string, bytes: Buffer): Promise<void> {
    const file = await this.#do(() => {
      this.#requireWritable(path);
      const emptied = this.#host.entries.has(path) ? this.#host.file(path) : this.#host.addFile(path);
      emptied.truncate(0);
      return emptied;
    });
    await this.#do(() => file.write(bytes, 0));
  }

  create(path: string): Promise<DiskFile> {
    return this.#do(() => {
      this.#requireWritable(path);
      return this.#fileOf(this.#host.addFile(path), path);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do(() => this.#host.rename(from, to));
  }

  remove(path: string): Promise<void> {
    return this.#do(() => {
      this.#host.entries.delete(path);
    });
  }

  removeFolder(path: string): Promise<void> {
    return this.#do(() => this.#host.removeFolder(path));
  }

  syncFolder(path: string): Promise<void> {
    return this.#do(() => this.#host.syncFolder(path), syncMs);
  }

  lock(path: string) {
    return this.#do(() => {
      if (this.#host.entries.get(dirname(path)) !== 'folder') throw fault('ENOENT', path);
      const holder = this.#host.locks.get(path);
      if (holder !== undefined && !holder.isOver) return null;
      this.#host.locks.set(path, this.#life);
      return {
        release: () =>
          this.#do(() => {
            if (this.#host.locks.get(path) === this.#life) this.#host.locks.delete(path);
          }),
      };
    });
  }

  #fileOf(file: FileContents, path: string): DiskFile {
    return {
      write: (bytes, position) => this.#do(() => this.#write(file, path, bytes, position)),
      sync: () =>
        this.#do(() => {
          if (!this.#isFailing()) return file.sync();
          file.failSync();
          throw fault('EIO', path);
        }, syncMs),
      truncate: (length) => this.#do(() => file.truncate(length)),
      keepOwnerOf: () => Promise.resolve(),
      close: () => this.#do(() => {}),
    };
  }

  /** A failed write may have written a part. */
  #write(file: FileContents, path: string, bytes: Buffer, position: number): void {
    const isFull = this.#host.faults.has('full');
    if (!isFull && !this.#isFailing()) {
      file.write(bytes, position);
      return;
    }
    file.write(bytes.subarray(0, this.#life.random.integer(0, bytes.length - 1)), position);
    throw fault(isFull ? 'ENOSPC' : 'EIO', path);
  }

  #requireWritable(path: string): void {
    if (this.#host.faults.has('full')) throw fault('ENOSPC', path);
    if (this.#isFailing()) throw fault('EIO', path);
  }

  #isFailing(): boolean {
    return this.#host.faults.has('io') && this.#life.random.chance(failureShare);
  }

  /** A process may end before an operation takes effect, or after it but before the process learns of it. */
  async #do<T>(work: () => T, ms: readonly [number, number] = usualMs): Promise<T> {
    const { random } = this.#life;
    const duration = random.between(...(this.#host.faults.has('slow') ? slowMs : ms));
    this.#life.step();
    await this.#life.sleep(duration / 2);
    try {
      return work();
    } finally {
      this.#life.step();
      await this.#life.sleep(duration / 2);
    }
  }
}
