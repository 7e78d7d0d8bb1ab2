import pg from 'pg';
import type { Logger } from 'pino';
import { durable } from './durability.ts';
import { isReadOnly } from './errors.ts';
import { createPool, hostsOf } from './hosts/clients.ts';
import { endStraysOf } from './stray-process.ts';

/** Anything that runs SQL: the pool, or one connection inside a transaction. */
export type Queryable = pg.Pool | pg.PoolClient;

// Counts stay far below 2^53, so they can be parsed as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
// A little longer than the server's own timeout, for a server that does not answer at all.
const answerTimeoutMs = 35_000;

export function openPool(databaseUrl: string, connectionsMax: number, log: Logger): pg.Pool {
  hostsOf(databaseUrl)?.tellTo(log);
  const pool = createPool({
    // Spooled leads are deleted after a commit on this pool, and saved settings must stay saved.
    databaseUrl: durable(databaseUrl),
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    application_name: 'leadgate',
  });
  // A lost connection must not end the process; the pool opens another.
  const onLost = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'database connection lost');
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
    // Regardless of the server's default: statements after a lock must see what its last holder wrote.
    await client.query('begin isolation level read committed');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is not returned to the pool.
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    // Neither is a read-only one: it may stay read-only after the server is promoted.
    if (isReadOnly(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Reads several tables as they were at one time. */
export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read, read only');
    return await work(client);
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/** On a connection that is closed if `work` throws: that ends the transaction. */
export async function inTransactionOn<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level read committed');
  const result = await work();
  await client.query('commit');
  return result;
}

/** If `work` throws, only its own changes are rolled back, and the transaction can continue. */
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
