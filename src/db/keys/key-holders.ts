import { sql } from 'kysely';
import type pg from 'pg';
import { directoryChannel } from '../directory/directory.ts';
import type { Queryable } from '../pool.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';

const namePrefix = 'leadgate key ';

/** The name that an instance gives its standing connection, so that others can tell which key it seals with. */
export function keyHolderName(keyId: string): string {
  return namePrefix + keyId;
}

export async function nameKeyHolder(client: pg.Client, keyId: string): Promise<void> {
  await run(client, sql`select set_config('application_name', ${keyHolderName(keyId)}, false)`);
}

export interface KeyHolder {
  /** Null for an instance of version 0.1.0, which does not tell. */
  readonly keyId: string | null;
  /** Null for one on the machine of the server. */
  readonly address: string | null;
}

/** The instances that are connected now. A killed one is gone with its connection. */
export async function listKeyHolders(db: Queryable): Promise<KeyHolder[]> {
  const isNamed = sql`starts_with(application_name, ${namePrefix})`;
  // That version listens on the same channel, and that is the last that its connection does.
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

// Any number will do, as long as it is ours.
const rekeyLock = 7_241_905_332;

/** Does the work while nobody else does the same on this database; null, and nothing done, when somebody does. */
export async function withRekeyLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect();
  try {
    const lock = sql<{ readonly isOurs: boolean }>`select pg_try_advisory_lock(${rekeyLock}) as "isOurs"`;
    const { isOurs } = await onlyRow(client, lock);
    return isOurs ? await work() : null;
  } finally {
    // Closing the connection releases the lock, also when it is the connection that failed.
    client.release(true);
  }
}
