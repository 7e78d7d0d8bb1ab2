import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { isUnavailable } from '../../db/unavailable.ts';

/**
 * The database as the account library sees it. The library turns every failure into "not signed in"; what PostgreSQL
 * really said is noted here, so that people are not sent to the sign-in page because the database is away.
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
      // The pool is not the library's to end.
      dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }),
      log: (event) => {
        if (event.level === 'error') this.#note(event.error);
      },
    });
  }

  /** Runs a call of the library. An outage during it is thrown, whatever the library made of it. */
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
