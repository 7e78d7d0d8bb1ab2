import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { isUnavailable } from '../../db/unavailable.ts';

/**
 * The database as the account library sees it. The library turns every failure into "not signed in"; this records the
 * real error, so that people are not sent to the sign-in page when the database is down.
 */
export class WatchedDatabase {
  readonly kysely: Kysely<unknown>;
  readonly #outages = new AsyncLocalStorage<{ error: unknown }>();

  constructor(pool: pg.Pool) {
    const connect = async () => {
      try {
        return await pool.connect();
      } catch (error) {
        this.#note(error);
        throw error;
      }
    };
    this.kysely = new Kysely({
      // The library must not end the pool.
      dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }),
      log: (event) => {
        if (event.level === 'error') this.#note(event.error);
      },
    });
  }

  /** Runs a library call. Throws if the database failed during it, whatever the library returned. */
  async watch<T>(call: () => Promise<T>): Promise<T> {
    const outage: { error: unknown } = { error: null };
    const [ended] = await Promise.allSettled([this.#outages.run(outage, call)]);
    if (outage.error !== null) throw outage.error;
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  }

  #note(error: unknown): void {
    const outage = this.#outages.getStore();
    if (outage !== undefined && isUnavailable(error)) outage.error = error;
  }
}
