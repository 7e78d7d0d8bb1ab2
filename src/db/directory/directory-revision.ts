import { sql } from 'kysely';
import type pg from 'pg';
import { onlyRow } from '../sql.ts';

/**
 * The revision for every row written in this transaction. It blocks all other changes to the directory until the commit,
 * so take it after all checks, right before the writes.
 */
export async function nextDirectoryRevision(client: pg.PoolClient): Promise<number> {
  const next = sql<{ readonly revision: number }>`select next_directory_revision() as revision`;
  return (await onlyRow(client, next)).revision;
}
