import type pg from 'pg';
import type { Logger } from 'pino';
import { noResponseText } from '../db/connection-problem.ts';
import { NotMigratedError, ReadOnlyError } from '../db/errors.ts';
import { type EarlierSnapshot, storeFirstIdRoot } from '../db/keys/id-root.ts';
import { pendingMigrations } from '../db/pending-migrations.ts';
import { isStandby } from '../db/server-facts.ts';
import { isUnavailable, isUnreachable } from '../db/unavailable.ts';
import type { Keys } from '../domain/secrets/id-root.ts';
import type { Circuits } from '../ingest/circuit/circuits.ts';
import type { Directory } from '../ingest/directory/directory.ts';
import type { DirectorySync } from '../ingest/directory/directory-sync.ts';
import { UnreachableError } from './process/start-error.ts';

export interface DatabaseStartDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly sync: DirectorySync;
  readonly keys: Keys;
  readonly snapshot: EarlierSnapshot;
  /** False when another process of this host does it. */
  readonly isMigrating: boolean;
  /** False when only a first start can lack a snapshot: its DATABASE_URL may be wrong, and nobody waits for it. */
  readonly canWait: boolean;
  /** Finds out which servers store leads. */
  readonly locate: () => Promise<void>;
  readonly log: Logger;
}

/** Prepares the database once, as soon as it is available and writable. */
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

  /** Without a database, the service still starts and accepts leads if a snapshot tells it who may send. */
  async startWithOrWithout(circuits: Circuits, directory: Directory): Promise<void> {
    try {
      await this.prepare();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // A directory read from a standby is newer than the snapshot.
      if (!directory.isLoaded) await this.#deps.sync.startFromSnapshot();
      if (!directory.isLoaded && !this.#deps.canWait && isUnreachable(error))
        throw new UnreachableError(noResponseText(error as Error));
      circuits.tripAll(error);
    }
  }

  /** Throws while the database cannot be used. Call it again later. */
  async prepare(): Promise<void> {
    if (this.isPrepared) return;
    const { pool, sync } = this.#deps;
    if (await isStandby(pool)) {
      await this.#readStandby();
      throw new ReadOnlyError();
    }
    await this.#bringUpToDate();
    await this.#deps.locate();
    await sync.start();
    this.isPrepared = true;
    this.#onReady();
  }

  async #bringUpToDate(): Promise<void> {
    const { databaseUrl, pool, keys, snapshot, isMigrating, log } = this.#deps;
    if (!isMigrating) {
      if ((await pendingMigrations(pool)).length > 0) throw new NotMigratedError();
      return;
    }
    // Loaded here, because it takes memory that other processes of the host can do without.
    const { migrate } = await import('../db/migrate.ts');
    const { distribution } = await migrate(databaseUrl, pool);
    if (distribution?.state === 'local')
      log.warn(
        { reason: distribution.text },
        'tables of leads stay on the coordinator: run leadgate migrate to distribute them',
      );
    await storeFirstIdRoot(pool, keys, snapshot);
  }

  /** Reads from a standby who may send, if its tables are those of this version. */
  async #readStandby(): Promise<void> {
    const { pool, sync, log } = this.#deps;
    if (sync.isStarted) return;
    const migrations = await pendingMigrations(pool);
    if (migrations.length === 0) await sync.start();
    else if (!this.#hasToldOfMigrations) {
      this.#hasToldOfMigrations = true;
      log.warn({ migrations }, 'database is a standby; migrations are pending until it is promoted');
    }
  }
}
