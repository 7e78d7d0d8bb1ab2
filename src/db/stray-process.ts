import { sql } from 'kysely';
import type pg from 'pg';
import { doubt } from './hosts/clients.ts';
import { run } from './sql.ts';

/** Internals of `pg`. */
interface Inside {
  readonly processID?: number | null;
}

/** The process at the other end of a connection. Another server may have a process with the same id. */
export interface ServerProcess {
  readonly server: string;
  readonly pid: number;
}

/** Null before there is one. */
export function processOf(client: pg.Client): ServerProcess | null {
  const { processID } = client as Inside;
  return processID ? { server: serverOf(client), pid: processID } : null;
}

function serverOf({ host, port }: pg.Client): string {
  return `${host}:${port}`;
}

/**
 * Ends the server processes of abandoned connections that still wait for a synchronous standby. Such a commit ignores
 * timeouts and the end of its connection, so every attempt would leave one more behind, until the server has no connections
 * left. Its rows are already on the primary, and a later statement that finds them there waits for the standby again.
 * Those of another server are left alone: it was replaced, and its processes end with it.
 */
export async function endStrays(client: pg.Client, strays: readonly ServerProcess[]): Promise<void> {
  const pids = strays.filter(({ server }) => server === serverOf(client)).map(({ pid }) => pid);
  if (pids.length === 0) return;
  await run(
    client,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any (${pids}) and application_name like 'leadgate%' and wait_event = 'SyncRep'`,
  );
}

/** Ends the processes that the pool leaves behind when a statement times out. */
export function endStraysOf(pool: pg.Pool): void {
  const strays = new Set<ServerProcess>();
  let isEnding = false;
  const end = async () => {
    const ending = [...strays];
    isEnding = true;
    try {
      await endOnPool(pool, ending);
      for (const stray of ending) strays.delete(stray);
    } catch {
      // They stay in the set until the next attempt.
    } finally {
      isEnding = false;
    }
  };
  pool.on('release', (error, client) => {
    const stray = processOf(client);
    if ((error as Error | undefined)?.message !== 'Query read timeout' || stray === null) return;
    doubt(client);
    strays.add(stray);
    // One at a time, so that a server that does not answer cannot tie up every connection of the pool.
    if (!isEnding && !pool.ending) void end();
  });
}

async function endOnPool(pool: pg.Pool, strays: readonly ServerProcess[]): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await endStrays(client, strays);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
