import pg from 'pg';

/** Why tables cannot be distributed, in words for the person who runs the cluster. */
export class DistributionError extends Error {}

/** Errors of Citus that a person can fix become words; all others stay as they are. */
export function explained(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = '', message } = error;
  if (code === '42501')
    return new DistributionError(
      `The role of DATABASE_URL may not do this: ${message}. docs/citus.md lists the permissions it needs. Nothing was distributed.`,
    );
  if (/prepared transactions are disabled/.test(message))
    return new DistributionError(
      'max_prepared_transactions is 0 on a node. Set it to at least max_connections on every server, restart them, and run leadgate migrate again.',
    );
  return error;
}
