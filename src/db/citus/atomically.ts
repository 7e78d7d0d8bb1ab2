import { sql } from 'kysely';
import type pg from 'pg';
import { run } from '../sql.ts';

/** Runs work in a transaction of a connection that does not come from the pool. */
export async function atomically(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await run(client, sql`begin isolation level read committed`);
  try {
    await work();
    await run(client, sql`commit`);
  } catch (error) {
    await run(client, sql`rollback`).catch(() => {});
    throw error;
  }
}
