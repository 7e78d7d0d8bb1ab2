import type pg from 'pg';

/**
 * The revision that every row written in this transaction carries. From here to the commit no other change of
 * the directory can proceed, so it is taken after all checks, right before the writes.
 */
export async function nextDirectoryRevision(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query('select next_directory_revision() as revision');
  return rows[0].revision;
}
