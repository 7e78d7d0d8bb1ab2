import pg from 'pg';
import { NodeAwayError } from './citus/distribution-error.ts';
import { isPassing, isReadOnly, NoPrimaryError, NotMigratedError, ReadOnlyError } from './errors.ts';

/** True when PostgreSQL is down or overloaded, false when the statement or our own code is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof NoPrimaryError || error instanceof NotMigratedError || error instanceof NodeAwayError)
    return true;
  if (error instanceof pg.DatabaseError || error instanceof ReadOnlyError) return isPassing(error);
  return isUnreachable(error);
}

/** True when no server responded. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof NoPrimaryError) return !isReadOnly(error);
  return error instanceof Error && (isSocketError(error) || isConnectionLoss(error));
}

function isSocketError(error: Error): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  if (error instanceof AggregateError)
    return error.errors.every((inner) => inner instanceof Error && isSocketError(inner));
  return syscall === 'connect' || syscall === 'read' || syscall === 'write' || syscall === 'getaddrinfo';
}

/** `pg` throws these as plain errors that differ only in their text. */
function isConnectionLoss(error: Error): boolean {
  return /^Connection terminated|^Query read timeout|^timeout expired$|^timeout exceeded when trying to connect|not queryable$|^Client was closed/.test(
    error.message,
  );
}
