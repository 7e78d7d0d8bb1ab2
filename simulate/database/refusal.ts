import pg from 'pg';

/** An error that PostgreSQL reports when it refuses a statement: the connection stays usable, the transaction is rolled back. */
export function refusal(code: string, message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  error.severity = 'ERROR';
  return error;
}

export function uniqueViolation(constraint: string): pg.DatabaseError {
  return refusal('23505', `duplicate key value violates unique constraint "${constraint}"`);
}

/** An `insert … on conflict do update` must not update a row that it has just written. */
export function rowTwice(): pg.DatabaseError {
  return refusal('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time');
}
