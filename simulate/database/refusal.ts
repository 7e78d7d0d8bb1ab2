import pg from 'pg';

/** An error as PostgreSQL reports it when it refuses a statement: the connection stays sound, the transaction is undone. */
export function refusal(code: string, message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  error.severity = 'ERROR';
  return error;
}

export function uniqueViolation(constraint: string): pg.DatabaseError {
  return refusal('23505', `duplicate key value violates unique constraint "${constraint}"`);
}

/** One `insert … on conflict do update` must not meet a row that it has written itself. */
export function rowTwice(): pg.DatabaseError {
  return refusal('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time');
}
