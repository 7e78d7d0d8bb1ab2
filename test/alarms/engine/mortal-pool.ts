import type pg from 'pg';

/** Whether the statement at which an instance is killed still takes effect. */
export type Moment = 'before' | 'after';

/** A connection pool of an instance that is killed at its n-th statement: nothing that it does later has any effect. */
export class MortalPool {
  readonly #pool: pg.Pool;
  readonly #diesAt: number;
  readonly #moment: Moment;
  #count = 0;
  isDead = false;

  constructor(pool: pg.Pool, diesAt: number, moment: Moment) {
    this.#pool = pool;
    this.#diesAt = diesAt;
    this.#moment = moment;
  }

  /** To be used instead of the pool. */
  get pool(): pg.Pool {
    const query = (...statement: unknown[]) =>
      this.#run(() => Reflect.apply(this.#pool.query, this.#pool, statement), null);
    const connect = async () => this.#client(await this.#alive(() => this.#pool.connect()));
    return new Proxy(this.#pool, {
      get: (pool, key) => (key === 'query' ? query : key === 'connect' ? connect : Reflect.get(pool, key)),
    });
  }

  #client(client: pg.PoolClient): pg.PoolClient {
    const query = (...statement: unknown[]) =>
      this.#run(() => Reflect.apply(client.query, client, statement), client);
    return new Proxy(client, {
      get(target, key) {
        if (key === 'query') return query;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  async #run<T>(statement: () => Promise<T>, client: pg.PoolClient | null): Promise<T> {
    const isLast = ++this.#count === this.#diesAt;
    const result = isLast && this.#moment === 'before' ? null : await this.#alive(statement);
    if (!isLast) return result as T;
    this.isDead = true;
    if (client !== null) await this.#terminate(client);
    throw new Error('killed');
  }

  /** Ends the transaction, as the death of the process would. */
  async #terminate(client: pg.PoolClient): Promise<void> {
    const { processID } = client as unknown as { readonly processID: number };
    await this.#pool.query('select pg_terminate_backend($1, 10000)', [processID]);
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new Error('dead');
    return work();
  }
}
