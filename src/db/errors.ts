import pg from 'pg';

/**
 * SQLSTATE classes of faults that pass: lost connections (08), server shutting down or starting (57), out of
 * resources (53), serialisation and deadlock (40), lock not available (55), read-only standby (25).
 */
const passingClasses = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** True when the server itself said so, and is there to be asked again. */
export function isAnswered(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** True when the same statement may well succeed later; false when PostgreSQL refuses these very rows. */
export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  // What `pg` itself throws has no SQLSTATE: ended connections, socket errors, time-outs.
  if (typeof code !== 'string' || !/^[0-9FHPX][0-9A-Z]{4}$/.test(code)) return true;
  return passingClasses.has(code.slice(0, 2));
}

/** True when PostgreSQL takes nothing at all now: not for a conflict over rows (40, 55) or a pool that is in use. */
export function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const isConflict = /^(?:40|55)/.test(String(code));
  return isPassing(error) && !isConflict && message !== 'timeout exceeded when trying to connect';
}

/** Why PostgreSQL refused a row, without anything of the row: only messages about constraints name nothing but names. */
export function refusalOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code).startsWith('23') ? `${message} (SQLSTATE ${code})` : `SQLSTATE ${code}`;
}

export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

/** A server that takes no changes at all: a hot standby before its promotion, or one that is set to read-only. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25006';
}

/** The same error, for whoever has asked the server before it came to that. */
export class ReadOnlyError extends Error {
  readonly code = '25006';

  constructor() {
    super('the server takes no changes: it is a hot standby, or set to read-only');
  }
}

/** The role, its password or the database is not one that the server knows, or not for us. */
export function isRefusedLogin(error: unknown): boolean {
  return /^(?:28|3D|42501)/.test(String((error as { code?: unknown }).code));
}
