import { sql } from 'kysely';
import type pg from 'pg';
import { run } from './sql.ts';

/** Internals of `pg`. */
interface Inside {
  readonly processID?: number | null;
}

/** The server's process at the other end of a connection; null before there is one. */
export function processOf(client: pg.ClientBase): number | null {
  return (client as Inside).processID ?? null;
}

/**
 * Ends the server processes of abandoned connections that still wait for a synchronous standby. Such a commit ignores
 * timeouts and the end of its connection, so every attempt would leave one more behind, until the server has no connections
 * left. Its rows are already on the primary, and a later statement that finds them there waits for the standby again.
 */
export async function endStrays(db: pg.Pool | pg.ClientBase, pids: readonly number[]): Promise<void> {
  await run(
    db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any (${pids}) and application_name like 'leadgate%' and wait_event = 'SyncRep'`,
  );
}

/** Ends the processes that the pool leaves behind when a statement times out. */
export function endStraysOf(pool: pg.Pool): void {
  const strays = new Set<number>();
  let isEnding = false;
  const end = async () => {
    const pids = [...strays];
    isEnding = true;
    try {
      await endStrays(pool, pids);
      for (const pid of pids) strays.delete(pid);
    } catch {
      // They stay in the set until the next attempt.
    } finally {
      isEnding = false;
    }
  };
  pool.on('release', (error, client) => {
    const pid = processOf(client);
    if ((error as Error | undefined)?.message !== 'Query read timeout' || pid === null) return;
    strays.add(pid);
    // One at a time, so that a server that does not answer cannot tie up every connection of the pool.
    if (!isEnding && !pool.ending) void end();
  });
}
