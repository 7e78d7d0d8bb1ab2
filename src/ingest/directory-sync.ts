import pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { directoryChannel, readDirectoryChanges, readDirectoryRevision } from '../db/directory.ts';
import type { Directory } from './directory.ts';

export interface DirectorySyncDeps {
  readonly directory: Directory;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

// Half of the second in which a change must be visible everywhere, in case its notification got lost.
const pollMs = 500;

/**
 * Keeps the directory fresh. A notification tells of a change at once; a poll of the revision covers lost
 * notifications. Reads never overlap: a wish that comes during a read makes one more read follow it, so that
 * whoever awaits `refresh` sees every change committed before the call.
 */
export class DirectorySync {
  readonly #deps: DirectorySyncDeps;
  #revision = -1;
  #syncedAt = 0;
  #reading: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #listener: pg.Client | null = null;
  #poll: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(deps: DirectorySyncDeps) {
    this.#deps = deps;
  }

  /** Throws when the first read fails: without a directory nobody can be authenticated. */
  async start(): Promise<void> {
    await this.refresh();
    this.#poll = setInterval(() => void this.#onPoll(), pollMs);
    await this.#listen();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#poll !== null) clearInterval(this.#poll);
    await this.#listener?.end().catch(() => {});
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
    const changes = await readDirectoryChanges(this.#deps.pool, this.#revision);
    this.#deps.directory.apply(changes);
    this.#revision = changes.revision;
    this.#syncedAt = this.#deps.clock.now();
  }

  async #onPoll(): Promise<void> {
    try {
      const revision = await readDirectoryRevision(this.#deps.pool);
      if (revision !== this.#revision) await this.refresh();
      this.#syncedAt = this.#deps.clock.now();
      if (this.#listener === null && !this.#isStopped) await this.#listen();
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'the directory could not be refreshed; the last known one is in use',
      );
    }
  }

  async #listen(): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#deps.databaseUrl,
      application_name: 'leadgate',
    });
    this.#listener = listener;
    const forget = () => {
      if (this.#listener === listener) this.#listener = null;
    };
    listener.on('error', forget).on('end', forget);
    listener.on('notification', () => void this.refresh().catch(() => {}));
    await listener.connect();
    await listener.query(`listen ${directoryChannel}`);
  }
}
