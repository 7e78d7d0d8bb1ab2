import { sql } from 'kysely';
import type { DestinationStatus, DisabledReason } from '../../../domain/destination/destination.ts';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { onlyRow, rowsOf } from '../../sql.ts';

export interface DestinationState {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: DestinationStatus;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  readonly lastError: string | null;
}

/** Destinations that are disabled or have been failing since before a time, and these. */
export async function listDestinationStates(
  db: Queryable,
  failingBefore: Date,
  ids: readonly string[],
): Promise<DestinationState[]> {
  return rowsOf(
    db,
    sql<DestinationState>`
      select d.id, d.workspace_id as "workspaceId", d.status, d.disabled_reason as "disabledReason",
        h.failing_since as "failingSince", h.last_error as "lastError"
      from destinations d left join destination_health h on h.destination_id = d.id
      where d.status = 'disabled' or d.status = 'active' and h.failing_since <= ${failingBefore}
        or d.id = any (${ids}::uuid[])
      order by h.failing_since desc nulls last, d.id`,
  );
}

/** Above this, the exact number adds nothing. */
export const waitingMax = 1_000;

export async function countWaiting(
  db: Queryable,
  workspaceId: string,
  destinationId: string,
): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ readonly count: number }>`
      select count(*) as count from (
        select 1 from deliveries
        where ${inWorkspace(workspaceId)} and destination_id = ${destinationId} and state = 'pending'
          and replay_of is null
        limit ${waitingMax}) as waiting`,
  );
  return count;
}
