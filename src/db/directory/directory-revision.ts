import { sql } from 'kysely';
import type pg from 'pg';
import { onlyRow } from '../sql.ts';

/**
 * The revision that every row written in this transaction carries. From here to the commit no other change of
 * the directory can proceed, so it is taken after all checks, right before the writes.
 */
export async function nextDirectoryRevision(client: pg.PoolClient): Promise<number> {
  const next = sql<{ readonly revision: number }>`select next_directory_revision() as revision`;
  return (await onlyRow(client, next)).revision;
}
