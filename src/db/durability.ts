import type pg from 'pg';

/**
 * A commit whose wait for a synchronous standby was cut short by a cancelled query. PostgreSQL reports success with a
 * warning: the rows are on the primary, but perhaps nowhere else.
 */
class UnconfirmedCommit extends Error {
  constructor() {
    super('the wait for the synchronous standby was cancelled, so the commit is not confirmed');
  }
}

// The warning about a cut wait must reach us. Only spaces are escaped, because `pg` escapes a URL with a stray percent sign
// a second time and then leaves only escapes of two digits alone.
const settings = '-c%20synchronous_commit=on%20-c%20client_min_messages=warning';

/**
 * For connections after whose commits we answer a sender or delete another copy: committed must mean on disk, and on the
 * synchronous standby if there is one, whatever the defaults of server, role or connection string are. The settings are
 * appended to the options of the URL, which would otherwise replace them; the last value of an option wins.
 */
export function durable(databaseUrl: string): string {
  const own = /[?&]options=([^&]*)/.exec(databaseUrl)?.[1];
  const options = own === undefined ? settings : `${own}%20${settings}`;
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${options}`;
}

/** Runs statements that commit on their own. Throws when the wait for the standby was cut short. */
export async function confirmed<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  let isCut = false;
  // Recognised by the function in PostgreSQL's source, because the text of the warning is in the server's language.
  const onNotice = ({ routine }: { routine?: string | undefined }) => {
    if (routine === 'SyncRepWaitForLSN') isCut = true;
  };
  client.on('notice', onNotice);
  try {
    const result = await work();
    if (isCut) throw new UnconfirmedCommit();
    return result;
  } finally {
    client.off('notice', onNotice);
  }
}

export interface PooledQuery extends pg.QueryConfig {
  readonly query_timeout?: number;
}

/** Runs one statement on a connection of the pool, confirmed. `onSent` is called once there is a connection. */
export async function confirmedQuery<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: PooledQuery,
  onSent: () => void = () => {},
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    onSent();
    return await confirmed(client, () => client.query<Row>(query));
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure the connection is closed, because it may still be working on this statement.
    client.release(failure);
  }
}
