import type pg from 'pg';

/** What pg keeps to itself. */
interface Inside {
  readonly processID?: number | null;
}

/** The server's process at the other end of a connection; null before there is one. */
export function processOf(client: pg.ClientBase): number | null {
  return (client as Inside).processID ?? null;
}

/**
 * Ends the process of a connection that was given up, if it waits for a synchronous standby. Such a commit heeds
 * neither a time-out nor the end of its connection: with every further try one more would stay, until the server is
 * full. Its rows are on the primary already; whoever meets them there waits for the standby anew.
 */
export async function endStray(db: pg.Pool | pg.ClientBase, pid: number): Promise<void> {
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = $1 and application_name like 'leadgate%' and wait_event = 'SyncRep'`,
    [pid],
  );
}
