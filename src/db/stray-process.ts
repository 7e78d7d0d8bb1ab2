import { sql } from 'kysely';
import type pg from 'pg';
import { run } from './sql.ts';

/** What pg keeps to itself. */
interface Inside {
  readonly processID?: number | null;
}

/** The server's process at the other end of a connection; null before there is one. */
export function processOf(client: pg.ClientBase): number | null {
  return (client as Inside).processID ?? null;
}

/**
 * Ends the processes of connections that were given up, as far as they wait for a synchronous standby. Such a commit
 * heeds neither a time-out nor the end of its connection: with every further try one more would stay, until the
 * server is full. Its rows are on the primary already; whoever meets them there waits for the standby anew.
 */
export async function endStrays(db: pg.Pool | pg.ClientBase, pids: readonly number[]): Promise<void> {
  await run(
    db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any (${pids}) and application_name like 'leadgate%' and wait_event = 'SyncRep'`,
  );
}

/** Ends what the pool leaves behind when it gives up on a statement. */
export function endStraysOf(pool: pg.Pool): void {
  const strays = new Set<number>();
  let isAtIt = false;
  const end = async () => {
    const pids = [...strays];
    isAtIt = true;
    try {
      await endStrays(pool, pids);
      for (const pid of pids) strays.delete(pid);
    } catch {
      // They are remembered until the next one.
    } finally {
      isAtIt = false;
    }
  };
  pool.on('release', (error, client) => {
    const pid = processOf(client);
    if ((error as Error | undefined)?.message !== 'Query read timeout' || pid === null) return;
    strays.add(pid);
    // One at a time: a server that says nothing must not get every connection of the pool for this.
    if (!isAtIt && !pool.ending) void end();
  });
}
