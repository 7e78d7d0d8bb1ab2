import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { onlyRow, run } from '../sql.ts';

type Lock = RawBuilder<{ readonly isLocked: boolean }>;

/** Takes the lock until the end of the transaction, unless another relay has it. */
export async function isRelayFree(client: pg.PoolClient): Promise<boolean> {
  const lock: Lock = sql`select pg_try_advisory_xact_lock(hashtextextended('leadgate relay', 0)) as "isLocked"`;
  return (await onlyRow(client, lock)).isLocked;
}

/** Works on a node of a cluster, unless another relay does: then null. */
export async function whileRelaying<T>(
  pool: pg.Pool,
  groupId: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T | null> {
  const client = await pool.connect();
  const key = sql`hashtextextended('leadgate relay ' || ${groupId}::int, 0)`;
  let failure: Error | undefined;
  try {
    const lock: Lock = sql`select pg_try_advisory_lock(${key}) as "isLocked"`;
    if (!(await onlyRow(client, lock)).isLocked) return null;
    const result = await work(client);
    await run(client, sql`select pg_advisory_unlock(${key})`);
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure the connection is closed, and its lock and its transaction end with it.
    client.release(failure);
  }
}
