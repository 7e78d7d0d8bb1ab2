import { hostname } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Disk } from '../../disk/disk.ts';
import { realDisk } from '../../disk/real-disk.ts';
import type { SealedSecret } from '../../domain/secrets/id-root.ts';
import { keyIdOf, type SecretBox } from '../../domain/secrets/secret-box.ts';
import type { DirectoryChanges } from './directory.ts';

const fileName = 'directory.snapshot';
// Bound to the ciphertext. The number changes with the shape of the rows, so that older snapshots cannot be decrypted.
const owner = 'directory snapshot 2';

interface Place {
  readonly disk?: Disk;
  /** Distinguishes instances that share the folder. */
  readonly writer?: string;
}

// The process id alone is not enough, because it is the same in every container.
const thisProcess = `${hostname()}-${process.pid}`;

/** `current`: everything is encrypted with the current key; `earlier`: some values with a previous key; `closed`: it cannot be decrypted. */
export type SnapshotState = 'none' | 'current' | 'earlier' | 'closed';

/**
 * The last known directory, encrypted on disk, so that a service that starts while PostgreSQL is down can check
 * credentials. Replaced as a whole: after a crash there is either the old snapshot or the new one.
 */
export class DirectorySnapshot {
  readonly #dir: string;
  readonly #secretBox: SecretBox;
  readonly #disk: Disk;
  readonly #writer: string;

  constructor(dir: string, secretBox: SecretBox, { disk = realDisk, writer = thisProcess }: Place = {}) {
    this.#dir = dir;
    this.#disk = disk;
    this.#writer = writer;
    this.#secretBox = secretBox;
  }

  async write(directory: DirectoryChanges): Promise<void> {
    await this.#disk.makeFolder(this.#dir);
    const path = join(this.#dir, fileName);
    // Instances may share the folder, so each writes a separate file and then renames it.
    const next = `${path}.${this.#writer}`;
    // Removes whatever is there, perhaps a link: root may run this in another user's folder.
    await this.#disk.remove(next);
    const file = await this.#disk.create(next);
    try {
      await file.write(this.#secretBox.seal(serialize(directory), owner), 0);
      // When root replaces the file, it must stay readable for the user of the service.
      await file.keepOwnerOf(path);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#disk.rename(next, path);
  }

  /** Whether a start without PostgreSQL could read the snapshot, with and without the previous keys. */
  async state(): Promise<SnapshotState> {
    const sealed = await this.#disk.read(join(this.#dir, fileName)).catch(() => null);
    if (sealed === null) return 'none';
    const directory = await this.read();
    if (directory === null) return 'closed';
    const inside = [
      directory.idRoot ?? null,
      ...directory.secrets.flatMap((row) => [row.currentCiphertext, row.previousCiphertext]),
      ...(directory.browser ?? []).flatMap((row) => [
        row.captchaCiphertext,
        row.mintSecretCiphertext,
        row.previousMintSecretCiphertext,
      ]),
    ].filter((value) => value !== null);
    return [sealed, ...inside].every((value) => this.#secretBox.isCurrent(value)) ? 'current' : 'earlier';
  }

  /** A snapshot of version 0.1.0, which shows which key that version used. Null when there is none. */
  async sealedEarlier(): Promise<SealedSecret | null> {
    const sealed = await this.#disk.read(join(this.#dir, fileName)).catch(() => null);
    return sealed === null || keyIdOf(sealed) !== null ? null : { owner, sealed };
  }

  /** Null when there is none or it cannot be read. */
  async read(): Promise<DirectoryChanges | null> {
    try {
      const sealed = await this.#disk.read(join(this.#dir, fileName));
      return deserialize(this.#secretBox.openBytes(sealed, owner));
    } catch {
      return null;
    }
  }
}
