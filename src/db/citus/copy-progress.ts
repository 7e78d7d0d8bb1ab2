import { sql } from 'kysely';
import type pg from 'pg';
import { onlyRow } from '../sql.ts';

/** How much this database takes on all nodes that respond, including what is not committed yet. */
export async function readCopyBytes(pool: pg.Pool): Promise<number> {
  const { bytes } = await onlyRow(
    pool,
    sql<{ bytes: number }>`select coalesce(sum(result::float8), 0) as bytes
      from run_command_on_workers('select pg_database_size(current_database())') where success`,
  );
  return bytes;
}
