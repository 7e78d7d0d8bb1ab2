import pg from 'pg';

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly rowMode: 'array';
}

/**
 * Runs a statement, and empties the list of its values as soon as they are written to the connection. `pg` assigns a function
 * to a property of each query, V8 creates such functions as old objects, and this one keeps the query in memory until they are
 * collected. With the values of a batch in it, that was every few seconds, and senders waited for it. The time limit is that
 * of the connection if none is given.
 */
export function queryAndRelease<Row extends unknown[]>(
  client: pg.ClientBase,
  statement: Statement,
  values: unknown[],
  timeoutMs?: number,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<Row>({ ...statement, values }, (error, result) =>
      error ? reject(error) : resolve(result.rows),
    );
    const { submit } = query;
    const submitAndRelease: typeof submit = (connection) => {
      const refused = submit.call(query, connection);
      values.length = 0;
      return refused;
    };
    client.query(Object.assign(query, { submit: submitAndRelease, query_timeout: timeoutMs }));
  });
}
