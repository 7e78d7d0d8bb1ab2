import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';
import type { ManagementDeps } from '../deps.ts';

/** Commits a change of the directory, and waits until this instance's ingest plane works with it. */
export async function changeDirectory<T>(
  { pool, directoryChanged, log }: Pick<ManagementDeps, 'pool' | 'directoryChanged' | 'log'>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(pool, work);
  // The change is committed, and the ingest plane looks for changes by itself: no reason to answer with a fault.
  await directoryChanged().catch((error) =>
    log.warn({ err: error }, 'the directory could not be refreshed at once'),
  );
  return result;
}
