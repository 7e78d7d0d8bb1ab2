import { sql } from 'kysely';
import type { SendWhen, SubscribableEvent } from '../../domain/destination/destination.ts';
import type { Filter } from '../../domain/destination/filter.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';

/** Which events a destination wants. */
export interface Subscription {
  readonly id: string;
  readonly workspaceId: string;
  readonly formIds: readonly string[] | null;
  readonly events: readonly SubscribableEvent[];
  readonly filter: Filter;
  readonly sendWhen: SendWhen;
  readonly waitMaxSeconds: number;
}

/**
 * Of the destinations that collect deliveries: those that are paused or fail do, so that nothing is missing when they
 * are resumed. A receiver that wants no more gets none.
 */
export async function listSubscriptions(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<Subscription[]> {
  return rowsOf(
    db,
    sql<Subscription>`
      select id, workspace_id as "workspaceId", form_ids::text[] as "formIds", events, filter, send_when as "sendWhen",
        wait_max_s as "waitMaxSeconds"
      from destinations
      where workspace_id = any (${workspaceIds}::uuid[])
        and (status <> 'disabled' or disabled_reason <> 'gone')`,
  );
}
