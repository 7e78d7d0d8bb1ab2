import { sql } from 'kysely';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow } from '../sql.ts';

export interface RejectionOfForm {
  readonly reason: RejectionReason;
  readonly at: Date;
  readonly requestId: string;
  /** Null when it was not held, or no longer is. */
  readonly state: 'held' | 'admitted' | 'discarded' | null;
  /** Null unless it is held. */
  readonly sealed: Buffer | null;
}

/** A rejection of this form. Of a flood, some are held that have no entry. */
export async function findRejectionOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
  rejectionId: string,
  now: Date,
): Promise<RejectionOfForm | null> {
  const isIt = sql`${inWorkspace(workspaceId)} and form_id = ${formId} and id = ${rejectionId}`;
  const held = await firstRow(
    db,
    sql<RejectionOfForm>`
      select reason, received_at as at, request_id as "requestId", state, sealed from held_submissions
      where ${isIt} and expires_at > ${now}`,
  );
  if (held !== null) return held;
  return firstRow(
    db,
    sql<RejectionOfForm>`
      select reason, at, request_id as "requestId", null as state, null as sealed from rejection_entries
      where ${isIt}`,
  );
}
