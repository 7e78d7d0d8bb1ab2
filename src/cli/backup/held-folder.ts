import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseAccount } from '../../db/embedded/account.ts';
import { CliError } from '../exit.ts';

const descriptors = '/proc/self/fd';
const ownMode = 0o700;
const permissionBits = 0o777;

/**
 * Keeps using the same folder even if the owner of its parent moves it and puts a link in its place: root may work for an
 * untrusted user. On Linux, all paths go through the open folder. Elsewhere, it is checked before each step, which leaves a
 * small window: there, as root, restore only into folders whose owner you trust.
 */
export class HeldFolder {
  readonly #path: string;
  /** For people. */
  readonly #name: string;
  readonly #descriptor: number;

  private constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
    try {
      this.#descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    } catch (error) {
      throw ['ELOOP', 'ENOTDIR'].includes(codeOf(error)) ? inTheWay(name) : error;
    }
  }

  /** An existing folder, whoever owns it. It may be reached through links; later changes to them do not matter. */
  static open(path: string): HeldFolder {
    return new HeldFolder(realpathSync(path), path);
  }

  /** An existing subfolder, whoever owns it. */
  static openIn(folder: HeldFolder, name: string): HeldFolder {
    return new HeldFolder(folder.at(name), join(folder.#name, name));
  }

  /** A private subfolder. Deletes what an earlier run left in it. */
  static openOwnIn(parent: HeldFolder, name: string): HeldFolder {
    if (!parent.has(name)) return HeldFolder.makeIn(parent, name);
    const folder = HeldFolder.openIn(parent, name);
    folder.#requireOwn();
    for (const item of readdirSync(folder.path)) rmSync(folder.at(item), { recursive: true, force: true });
    return folder;
  }

  /** A new private subfolder. */
  static makeIn(parent: HeldFolder, name: string): HeldFolder {
    try {
      mkdirSync(parent.at(name), { mode: ownMode });
    } catch (error) {
      throw codeOf(error) === 'EEXIST' ? inTheWay(join(parent.#name, name)) : error;
    }
    const folder = HeldFolder.openIn(parent, name);
    folder.#requireOwn();
    // Otherwise it is not the folder that was created.
    if (readdirSync(folder.path).length > 0) throw folder.#moved();
    return folder;
  }

  get path(): string {
    if (existsSync(descriptors)) return `${descriptors}/${this.#descriptor}`;
    this.requireInPlace();
    return this.#path;
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  has(name: string): boolean {
    return lstatSync(this.at(name), { throwIfNoEntry: false }) !== undefined;
  }

  requireInPlace(): void {
    const here = fstatSync(this.#descriptor);
    const there = lstatSync(this.#path, { throwIfNoEntry: false });
    if (there?.ino !== here.ino || there.dev !== here.dev) throw this.#moved();
  }

  giveTo(account: DatabaseAccount | null): void {
    if (account !== null) fchownSync(this.#descriptor, account.uid, account.gid);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #requireOwn(): void {
    const { uid, mode } = fstatSync(this.#descriptor);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (isOwn && (mode & permissionBits & ~ownMode) === 0) return;
    throw new CliError(
      'conflict',
      `${this.#name} belongs to another user or is open to others. Remove it, then restore again.`,
    );
  }

  #moved(): CliError {
    return new CliError('conflict', `${this.#name} was moved or replaced while the restore ran.`);
  }
}

function inTheWay(path: string): CliError {
  return new CliError('conflict', `${path} is in the way. Remove it, then restore again.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
