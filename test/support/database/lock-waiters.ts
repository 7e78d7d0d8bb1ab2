import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './postgres.ts';

interface Waiting {
  /** A pattern for the statement that waits. */
  readonly query?: string;
  readonly event?: string;
}

/** How many server processes wait for a lock, on the server of the database or on any server of its cluster. */
export function lockWaiters(url: string, waiting: Waiting = {}): Promise<number> {
  return onWaiters(url, '1', waiting);
}

/** Ends those that wait, and returns how many there were. */
export function endLockWaiters(url: string, waiting: Waiting = {}): Promise<number> {
  return onWaiters(url, 'pg_terminate_backend(pid)', waiting);
}

/** The name of the database of a URL. */
export async function nameOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.end();
  return rows[0].name;
}

async function onWaiters(
  url: string,
  action: string,
  { query = '%', event = '%' }: Waiting,
): Promise<number> {
  const name = await nameOf(url);
  let count = 0;
  for (const server of [url, ...inject('nodeUrls').map((node) => databaseUrl(node, name))]) {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    const { rowCount } = await client.query(
      `select ${action} from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query ilike $1 and wait_event like $2`,
      [query, event],
    );
    count += rowCount ?? 0;
    await client.end();
  }
  return count;
}
