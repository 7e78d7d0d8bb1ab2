import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';
import type { ManagementDeps } from '../deps.ts';

/** Commits a directory change, and waits until this instance's ingest plane uses it. */
export async function changeDirectory<T>(
  { pool, directoryChanged, log }: Pick<ManagementDeps, 'pool' | 'directoryChanged' | 'log'>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(pool, work);
  // The change is committed and the ingest plane also polls for changes, so this is not an error.
  await directoryChanged().catch((error) => log.warn({ err: error }, 'directory not refreshed immediately'));
  return result;
}
