import { sql } from 'kysely';
import type pg from 'pg';
import { directoryChannel } from '../directory/directory.ts';
import type { Queryable } from '../pool.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';

const namePrefix = 'leadgate key ';

/** The application name of an instance's permanent connection. It tells others which key the instance encrypts with. */
export function keyHolderName(keyId: string): string {
  return namePrefix + keyId;
}

export async function nameKeyHolder(client: pg.Client, keyId: string): Promise<void> {
  await run(client, sql`select set_config('application_name', ${keyHolderName(keyId)}, false)`);
}

export interface KeyHolder {
  /** Null for an instance of version 0.1.0, which does not report it. */
  readonly keyId: string | null;
  /** Null for an instance on the same machine as the server. */
  readonly address: string | null;
}

/** The instances that are connected now. */
export async function listKeyHolders(db: Queryable): Promise<KeyHolder[]> {
  const isNamed = sql`starts_with(application_name, ${namePrefix})`;
  // Version 0.1.0 listens on the same channel, and that is the last statement on its connection.
  const isEarlier = sql`query = ${`listen ${directoryChannel}`}`;
  return rowsOf(
    db,
    sql<KeyHolder>`
      select case when ${isNamed} then substring(application_name from ${namePrefix.length + 1}::integer) end as "keyId",
        host(client_addr) as address
      from pg_stat_activity
      where datname = current_database() and (${isNamed} or ${isEarlier})
      order by 1 nulls first, 2`,
  );
}

// An arbitrary number that nothing else uses.
const rekeyLock = 7_241_905_332;

/** Runs `work` under a lock of this database. Returns null without running it when another process holds the lock. */
export async function withRekeyLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect();
  try {
    const lock = sql<{ readonly isOurs: boolean }>`select pg_try_advisory_lock(${rekeyLock}) as "isOurs"`;
    const { isOurs } = await onlyRow(client, lock);
    return isOurs ? await work() : null;
  } finally {
    // Closing the connection releases the lock, even if the connection failed.
    client.release(true);
  }
}
