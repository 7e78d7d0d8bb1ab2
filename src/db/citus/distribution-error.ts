import pg from 'pg';

/** Why tables cannot be distributed, in words for the person who runs the cluster. */
export class DistributionError extends Error {}

/** A node does not respond, which may pass. */
export class NodeAwayError extends DistributionError {}

/** Errors of Citus that a person can fix become words; all others stay as they are. */
export function explained(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = '' } = error;
  // Those of libpq have several lines.
  const message = error.message.replaceAll(/\s+/g, ' ').replace(/[.?]$/, '');
  if (code === '42501')
    return new DistributionError(
      `The role of DATABASE_URL lacks a permission on the cluster: ${message}. docs/citus.md lists what it needs. Nothing was distributed.`,
    );
  // The coordinator itself responds, so this is about a node.
  if (code.startsWith('08'))
    return new NodeAwayError(
      `A node does not respond: ${message}. Start it, or check pg_hba.conf and pg_dist_authinfo, then run leadgate migrate again.`,
    );
  return error;
}
