import pg from 'pg';

/**
 * SQLSTATE classes of transient errors: lost connections (08), read-only standby (25), serialisation and deadlock (40),
 * out of resources (53), lock not available (55), server shutting down or starting (57), system errors such as I/O (58).
 */
const passingClasses = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** True when the error came from the server, which is therefore reachable. */
export function isAnswered(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** True when the same statement may succeed later; false when PostgreSQL refuses these particular rows. */
export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  // Errors of `pg` itself have no SQLSTATE: closed connections, socket errors, timeouts.
  if (typeof code !== 'string' || !/^[0-9FHPX][0-9A-Z]{4}$/.test(code)) return true;
  return passingClasses.has(code.slice(0, 2)) || isLostCommit(error);
}

/** True when a coordinator of Citus lost a node during its commit, and does not know whether it happened. */
function isLostCommit(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'XX000' && lostByCitus.test(String(message));
}

// Citus gives these no SQLSTATE of their own, and has no translations.
const lostByCitus =
  /^(?:could not commit transaction for shard |failure on connection marked as essential|execution cannot recover from multiple connection failures|postmaster was shut down)/;

/**
 * SQLSTATE classes of errors that may be due to a row: its data (21, 22), constraints (23, 44), limits such as the size of
 * an index entry (54), triggers (P0), and bugs (XX).
 */
const rowClasses = new Set(['21', '22', '23', '44', '54', 'P0', 'XX']);

/**
 * True when PostgreSQL refuses a row. All other errors are due to the state of a server, even those that do not pass by
 * themselves, such as a node that does not know our password: its leads must wait until somebody has seen to it.
 */
export function isRefusedRow(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return rowClasses.has(code.slice(0, 2)) && !isPassing(error);
}

/** True when a new session may succeed: the functions or plans of this one are those of another version. */
export function isOutdatedSession(error: unknown): boolean {
  return /^(?:0A|26|3F|42)/.test(String((error as { code?: unknown }).code));
}

/** True when PostgreSQL accepts no commits at all. False for conflicts (40, 55), moved buckets and an exhausted pool. */
export function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const isConflict = /^(?:40|55|LG)/.test(String(code));
  const isAway = isPassing(error) || isClosed(error);
  return isAway && !isConflict && message !== 'timeout exceeded when trying to connect';
}

/** Why PostgreSQL refused a row, without data of the row. Only the messages of class 23 (constraints) contain none. */
export function refusalOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code).startsWith('23') ? `${message} (SQLSTATE ${code})` : `SQLSTATE ${code}`;
}

export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

/** True when a node does not have the bucket that it was asked to write to; see migrations/0029_buckets.sql. */
export function isMovedBucket(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'LG001';
}

/** True when another session, like that of a move, has kept a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03';
}

/** True when tables were distributed since the last commit: statements over all nodes cannot do what a commit does. */
export function isUnsupported(error: unknown): boolean {
  return (error as { code?: unknown }).code === '0A000';
}

/** True when the server that answered could not reach the one that it asked. */
export function isUnreachableNode(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('08');
}

/** False when the server is down, read-only or closed to us, or when the coordinator that answered cannot reach the node. */
export function isWorking(error: unknown): boolean {
  return isAnswered(error) && !isReadOnly(error) && !isClosed(error) && !isUnreachableNode(error);
}

/** True for a server that accepts no writes: a hot standby, or one that is set to read-only. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown }).code === '25006';
}

/** The same error, thrown when we find out by asking the server instead of by a failed write. */
export class ReadOnlyError extends Error {
  readonly code = '25006';

  constructor() {
    super('the server accepts no writes: it is a hot standby or set to read-only');
  }
}

/** The tables are older than this version, and another process is about to migrate them. */
export class NotMigratedError extends Error {
  constructor() {
    super('the database has pending migrations');
  }
}

/** No host of DATABASE_URL accepts writes. Read-only when at least one of them can be read. */
export class NoPrimaryError extends Error {
  readonly code: string | undefined;

  constructor(message: string, isReadOnly: boolean) {
    super(message);
    this.code = isReadOnly ? '25006' : undefined;
  }
}

/** True when the role, its password or the database is unknown to the server. */
export function isRefusedLogin(error: unknown): boolean {
  return /^(?:28|3D)/.test(String((error as { code?: unknown }).code));
}

/** True when the role lacks a permission: to connect, or for what it asked. */
export function isForbidden(error: unknown): boolean {
  return (error as { code?: unknown }).code === '42501';
}

/** True when the server is closed to us until somebody changes it or DATABASE_URL. */
function isClosed(error: unknown): boolean {
  return isRefusedLogin(error) || isForbidden(error);
}

/** PostgreSQL refused a migration, of which nothing was applied. */
export class MigrationError extends Error {
  constructor(name: string, cause: pg.DatabaseError) {
    const hint = isForbidden(cause)
      ? ' docs/configuration.md lists what the role of DATABASE_URL needs.'
      : '';
    super(`PostgreSQL refused the migration ${name}: ${cause.message}.${hint}`, { cause });
  }
}
