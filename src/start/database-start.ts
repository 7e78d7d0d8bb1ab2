import type pg from 'pg';
import type { Logger } from 'pino';
import { ReadOnlyError } from '../db/errors.ts';
import { type EarlierSnapshot, storeFirstIdRoot } from '../db/keys/id-root.ts';
import { migrate, pendingMigrations } from '../db/migrate.ts';
import { isStandby } from '../db/server-facts.ts';
import { isUnavailable } from '../db/unavailable.ts';
import type { Keys } from '../domain/secrets/id-root.ts';
import type { Circuit } from '../ingest/commit/circuit.ts';
import type { Directory } from '../ingest/directory/directory.ts';
import type { DirectorySync } from '../ingest/directory/directory-sync.ts';

export interface DatabaseStartDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly sync: DirectorySync;
  readonly keys: Keys;
  readonly snapshot: EarlierSnapshot;
  readonly log: Logger;
}

/** Prepares the database once, whenever it is there for the first time and takes changes. */
export class DatabaseStart {
  readonly ready: Promise<void>;
  readonly #deps: DatabaseStartDeps;
  isPrepared = false;
  #onReady: () => void = () => {};
  #hasToldOfMigrations = false;

  constructor(deps: DatabaseStartDeps) {
    this.#deps = deps;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
  }

  /** A database that is away at the start does not keep the service from taking leads, if it knows its senders. */
  async startWithOrWithout(circuit: Circuit, directory: Directory): Promise<void> {
    try {
      await this.prepare();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // What a standby has told is newer than the snapshot.
      if (!directory.isLoaded) await this.#deps.sync.startFromSnapshot();
      circuit.trip(error);
    }
  }

  /** Throws while the database cannot be used; may then be called again. */
  async prepare(): Promise<void> {
    if (this.isPrepared) return;
    const { databaseUrl, pool, sync, keys, snapshot } = this.#deps;
    if (await isStandby(pool)) {
      await this.#readStandby();
      throw new ReadOnlyError();
    }
    await migrate(databaseUrl, pool);
    await storeFirstIdRoot(pool, keys, snapshot);
    await sync.start();
    this.isPrepared = true;
    this.#onReady();
  }

  /** A standby tells who may send, as long as its tables are those that this version reads. */
  async #readStandby(): Promise<void> {
    const { pool, sync, log } = this.#deps;
    if (sync.isStarted) return;
    const migrations = await pendingMigrations(pool);
    if (migrations.length === 0) await sync.start();
    else if (!this.#hasToldOfMigrations) {
      this.#hasToldOfMigrations = true;
      log.warn({ migrations }, 'the server is a standby; migrations are pending until it is promoted');
    }
  }
}
