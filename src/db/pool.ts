import pg from 'pg';
import type { Logger } from 'pino';
import { durable } from './durability.ts';
import { isReadOnly } from './errors.ts';
import { endStraysOf } from './stray-process.ts';

/** Anything that runs SQL: the pool, or one connection inside a transaction. */
export type Queryable = pg.Pool | pg.PoolClient;

// Counts are far below 2^53; as numbers they need no conversion anywhere else.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
// A little later than the server's own: for a server that does not answer at all.
const answerTimeoutMs = 35_000;

export function openPool(databaseUrl: string, connectionsMax: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    // What is committed through it lets spooled leads go, and settings that were saved stay saved.
    connectionString: durable(databaseUrl),
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    application_name: 'leadgate',
  });
  // A connection that dies must not take the process with it; the pool opens another.
  const onLost = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'a database connection was lost');
  };
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  endStraysOf(pool);
  return pool;
}

export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // Whatever the server's default: what follows a lock must see what its last holder wrote.
    await client.query('begin isolation level read committed');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    // Nor is one that is read-only: it may stay so when the server no longer is.
    if (isReadOnly(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What fails in it is undone by itself, and the transaction goes on. */
export async function withSavepoint<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint attempt');
  try {
    const result = await work();
    await client.query('release savepoint attempt');
    return result;
  } catch (error) {
    await client.query('rollback to savepoint attempt');
    throw error;
  }
}
