import { endSessions, sessions } from './servers.ts';

interface Waiting {
  /** A pattern for the statement that waits. */
  readonly query?: string;
  readonly event?: string;
}

/** How many server processes wait for a lock, on the server of the database or on any server of its cluster. */
export async function lockWaiters(url: string, waiting: Waiting = {}): Promise<number> {
  return (await sessions(url, isWaiting(waiting))).length;
}

/** Ends those that wait, and returns how many there were. */
export function endLockWaiters(url: string, waiting: Waiting = {}): Promise<number> {
  return endSessions(url, isWaiting(waiting));
}

function isWaiting({ query = '%', event = '%' }: Waiting): string {
  return `wait_event_type = 'Lock' and query ilike '${query}' and wait_event like '${event}'`;
}
