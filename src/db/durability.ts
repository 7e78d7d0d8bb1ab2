import type pg from 'pg';

/**
 * A commit that was cut short while it waited for a synchronous standby, by a cancelled query. PostgreSQL reports
 * success, with a warning: the rows are on the primary, and nobody knows whether they are anywhere else.
 */
class UnconfirmedCommit extends Error {
  constructor() {
    super('the wait for the synchronous standby was cancelled, so the commit is not confirmed');
  }
}

// The warning of a cut wait has to reach us. Nothing but spaces is escaped: `pg` escapes a URL once more when it holds a
// stray percent sign, and then spares only escapes made of digits.
const settings = '-c%20synchronous_commit=on%20-c%20client_min_messages=warning';

/**
 * For connections whose commits allow an answer, or the removal of another copy: committed means on disk, and on the
 * synchronous standby if there is one, whatever the defaults of server, role or connection string are. As part of the
 * URL, whose own options would otherwise replace ours; the last word counts.
 */
export function durable(databaseUrl: string): string {
  const own = /[?&]options=([^&]*)/.exec(databaseUrl)?.[1];
  const options = own === undefined ? settings : `${own}%20${settings}`;
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${options}`;
}

/** Runs statements that commit by themselves; throws when a commit was not waited for. */
export async function confirmed<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  let isCut = false;
  // Told by the place in PostgreSQL's source: the text of the warning comes in the language of the server.
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

/** One statement on a connection of the pool, confirmed. `onSent` is called when it no longer waits for a connection. */
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
    // After a failure it may still be at work on this statement.
    client.release(failure);
  }
}
