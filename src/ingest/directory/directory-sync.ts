import type { Logger } from 'pino';
import type { DirectoryChanges } from '../../db/directory/directory.ts';
import type { DirectorySnapshot } from '../../db/directory/directory-snapshot.ts';
import type { DirectoryListener, IngestDatabase } from '../../db/ingest/ingest-database.ts';
import type { SealedSecret } from '../../domain/secrets/id-root.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import type { Directory } from './directory.ts';
import type { IdRootReader } from './id-root-reader.ts';

export interface DirectorySyncDeps {
  readonly directory: Directory;
  readonly idRoot: IdRootReader;
  readonly database: Pick<IngestDatabase, 'readDirectory' | 'readDirectoryRevision' | 'openListener'>;
  readonly snapshot: DirectorySnapshot;
  /** One process of a host writes them for all. */
  readonly isWritingSnapshots?: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

// A change must be visible everywhere within a second, even if its notification is lost.
export const directoryPollMs = 500;
// A server that refuses a listener is likely to refuse the next one too, and the poll finds every change anyway.
const listenPauseMs = 1_000;
const listenPauseMsMax = 30_000;
const everything = -1;

/**
 * Keeps the directory current. A notification announces each change; a poll of the revision covers lost notifications.
 * Reads never overlap: a `refresh` during a read starts one more read afterwards, so that its caller sees every change
 * committed before the call. Each new version of the directory is also written to disk.
 */
export class DirectorySync {
  readonly #deps: DirectorySyncDeps;
  #revision = everything;
  #syncedAt = 0;
  #reading: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #listener: DirectoryListener | null = null;
  #listenPauseMs = listenPauseMs;
  #listenAgainAt = 0;
  #poll: Loop | null = null;
  #earlierSnapshot: SealedSecret | null = null;
  #snapshotRevision = everything;
  #hasSnapshotFailed = false;
  #isStopped = false;

  constructor(deps: DirectorySyncDeps) {
    this.#deps = deps;
  }

  get isStarted(): boolean {
    return this.#poll !== null;
  }

  /** Throws when the first read fails; may then be called again. */
  async start(): Promise<void> {
    await this.#findEarlierSnapshot();
    await this.refresh();
    if (this.#listener === null) await this.#listen();
    if (this.#isStopped) throw new Error('the directory was stopped during its start');
    await this.#keepSnapshot();
    const { clock, log } = this.#deps;
    this.#poll ??= clock.repeat(() => this.#onPoll(), {
      pauseMs: directoryPollMs,
      pauseFirst: true,
      onFailure: (error) =>
        log.warn({ err: error }, 'directory refresh failed; using the last known directory'),
    });
  }

  /** Loads the last known directory, for a start without PostgreSQL. */
  async startFromSnapshot(): Promise<void> {
    await this.#findEarlierSnapshot();
    const snapshot = await this.#deps.snapshot.read();
    if (snapshot !== null) this.#apply(snapshot);
  }

  /** Read before this version replaces it with a snapshot that no longer reveals which key was used. */
  async #findEarlierSnapshot(): Promise<void> {
    this.#earlierSnapshot ??= await this.#deps.snapshot.sealedEarlier();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#listener?.close();
    await this.#poll?.stop();
    await this.#reading?.catch(() => {});
  }

  /** Milliseconds since the directory was last known to be current. */
  get ageMs(): number {
    return this.#deps.clock.now() - this.#syncedAt;
  }

  refresh(): Promise<void> {
    if (this.#reading === null) return this.#startRead();
    this.#next ??= this.#reading.catch(() => {}).then(() => this.#startRead());
    return this.#next;
  }

  #startRead(): Promise<void> {
    this.#next = null;
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const changes = await this.#deps.database.readDirectory(this.#revision);
    this.#apply(changes);
    this.#revision = changes.revision;
    this.#syncedAt = this.#deps.clock.now();
  }

  /** The id root first: as soon as the directory is loaded, leads are accepted and need ids. */
  #apply(changes: DirectoryChanges): void {
    this.#deps.idRoot.learn(changes, this.#earlierSnapshot);
    this.#deps.directory.apply(changes);
  }

  async #onPoll(): Promise<void> {
    const revision = await this.#deps.database.readDirectoryRevision();
    if (revision !== this.#revision) await this.refresh();
    this.#syncedAt = this.#deps.clock.now();
    // Not awaited, so that polls continue while a listener connects slowly.
    if (this.#mustListen()) void this.#listen();
    await this.#keepSnapshot();
  }

  /** At most once per poll, however often the directory changes. A full disk prevents only the snapshot. */
  async #keepSnapshot(): Promise<void> {
    const { database, snapshot, log, isWritingSnapshots = true } = this.#deps;
    if (!isWritingSnapshots || this.#snapshotRevision === this.#revision || this.#isStopped) return;
    const directory = await database.readDirectory(everything);
    try {
      await snapshot.write(directory);
      this.#snapshotRevision = directory.revision;
      this.#hasSnapshotFailed = false;
    } catch (error) {
      if (!this.#hasSnapshotFailed) log.warn({ err: error }, 'directory snapshot not written');
      this.#hasSnapshotFailed = true;
    }
  }

  #mustListen(): boolean {
    return this.#listener === null && !this.#isStopped && this.#deps.clock.monotonic() >= this.#listenAgainAt;
  }

  /** Never throws: polling is enough, and a hot standby refuses listeners until it is promoted. */
  async #listen(): Promise<void> {
    const forget = () => {
      if (this.#listener === listener) this.#listener = null;
    };
    const onChange = () => void this.refresh().catch(() => {});
    const listener = this.#deps.database.openListener({ onChange, onEnd: forget });
    this.#listener = listener;
    try {
      await listener.ready;
      this.#listenPauseMs = listenPauseMs;
    } catch (error) {
      forget();
      // Otherwise the connection would stay open on the server.
      listener.close();
      this.#listenAgainAt = this.#deps.clock.monotonic() + this.#listenPauseMs;
      this.#listenPauseMs = Math.min(this.#listenPauseMs * 2, listenPauseMsMax);
      this.#deps.log.debug({ err: error }, 'directory change notifications unavailable; polling only');
    }
  }
}
