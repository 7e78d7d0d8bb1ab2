import { dirname } from 'node:path';
import type { Random } from '../../src/time/random.ts';
import type { Life } from '../life.ts';
import { FileContents } from './files.ts';

type Entry = FileContents | 'folder';

export type DiskFault = 'io' | 'full' | 'slow';

/** The disk of one machine, which processes share and which outlives them. */
export class HostDisk {
  readonly entries = new Map<string, Entry>();
  /** By path. Like the real ones they are in their folder, and stay there when their process is killed. */
  readonly locks = new Map<string, Life>();
  readonly faults = new Set<DiskFault>();
  readonly #random: Random;
  /** The state after a power loss: names are synced per folder. */
  #durable = new Map<string, Entry>();

  constructor(random: Random) {
    this.#random = random;
  }

  file(path: string): FileContents {
    const entry = this.entries.get(path);
    if (entry === undefined || entry === 'folder') throw fault('ENOENT', path);
    return entry;
  }

  addFile(path: string): FileContents {
    if (this.entries.has(path)) throw fault('EEXIST', path);
    if (!this.entries.has(dirname(path))) throw fault('ENOENT', path);
    const file = new FileContents();
    this.entries.set(path, file);
    return file;
  }

  /** Creates parents too. Folders are assumed to be durable; their loss is not simulated. */
  addFolder(path: string): void {
    for (let each = path; each !== '/' && !this.entries.has(each); each = dirname(each)) {
      this.entries.set(each, 'folder');
      this.#durable.set(each, 'folder');
    }
  }

  removeFolder(path: string): void {
    const isLocked = this.locks.keys().some((lock) => dirname(lock) === path);
    if (isLocked || this.list(path).length > 0) throw fault('ENOTEMPTY', path);
    this.entries.delete(path);
    this.#durable.delete(path);
  }

  list(path: string): string[] {
    if (this.entries.get(path) !== 'folder') throw fault('ENOENT', path);
    const prefix = `${path}/`;
    return [...this.entries.keys()]
      .filter((name) => name.startsWith(prefix) && !name.includes('/', prefix.length))
      .map((name) => name.slice(prefix.length));
  }

  rename(from: string, to: string): void {
    const file = this.file(from);
    this.entries.delete(from);
    this.entries.set(to, file);
  }

  syncFolder(path: string): void {
    for (const [name, entry] of this.entries) if (dirname(name) === path) this.#durable.set(name, entry);
    for (const name of [...this.#durable.keys()])
      if (dirname(name) === path && !this.entries.has(name)) this.#durable.delete(name);
  }

  /** An unsynced name may be in its old or its new state; after a rename, one of the two names exists. */
  losePower(): void {
    const names = new Set([...this.entries.keys(), ...this.#durable.keys()]);
    const found = new Map<string, Entry>();
    for (const name of names) {
      const [before, after] = [this.#durable.get(name), this.entries.get(name)];
      const entry = before === after || this.#random.chance(0.5) ? after : before;
      if (entry !== undefined) found.set(name, entry);
    }
    for (const file of new Set(found.values())) if (file !== 'folder') file.losePower(this.#random);
    this.entries.clear();
    for (const [name, entry] of found) this.entries.set(name, entry);
    this.#durable = new Map(found);
    this.locks.clear();
  }
}

export function fault(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
