import { sql } from 'kysely';
import type pg from 'pg';
import { areLeads, isShardOf } from '../sharded.ts';
import { run } from '../sql.ts';

/**
 * Of leads that are erased in this transaction: nothing more is sent, and what receivers responded is deleted. That it was
 * delivered stays on record, without its content. A dead one is cancelled too, or an attempt of an instance that had lost its
 * lease could still be added to it.
 */
export async function cancelDeliveries(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<void> {
  await run(
    client,
    sql`
      update deliveries set state = 'cancelled', last_error_class = 'erased', last_error = 'The lead was erased.'
      where ${areLeads(workspaceId, submissionIds)} and state in ('pending', 'dead', 'skipped')`,
  );
  await run(
    client,
    sql`
      delete from delivery_attempts a where ${isShardOf(workspaceId, 'a')} and a.workspace_id = ${workspaceId}
        and a.delivery_id in (select id from deliveries where ${areLeads(workspaceId, submissionIds)})`,
  );
}
