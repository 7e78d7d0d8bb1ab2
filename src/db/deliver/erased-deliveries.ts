import { sql } from 'kysely';
import type pg from 'pg';
import { isLead, isShardOf } from '../sharded.ts';
import { run } from '../sql.ts';

/**
 * Of a lead that is erased in this transaction: what waits is not sent, and what receivers responded is deleted. That it was
 * delivered stays on record, without its content.
 */
export async function cancelDeliveries(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  await run(
    client,
    sql`
      update deliveries set state = 'cancelled', last_error_class = 'erased', last_error = 'The lead was erased.'
      where ${isLead(workspaceId, submissionId)} and state = 'pending'`,
  );
  await run(
    client,
    sql`
      delete from delivery_attempts a where ${isShardOf(workspaceId, 'a')} and a.workspace_id = ${workspaceId}
        and a.delivery_id in (select id from deliveries where ${isLead(workspaceId, submissionId)})`,
  );
}
