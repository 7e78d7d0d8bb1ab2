import { sql } from 'kysely';
import type pg from 'pg';
import { inWorkspace } from '../../sharded.ts';
import { rowsOf, run } from '../../sql.ts';
import type { Usage } from '../usage-book.ts';

/** The content of a request that was held. */
export interface FreedContent {
  readonly formId: string;
  readonly isProven: boolean;
  readonly bytes: number;
}

/**
 * What the workspace uses. Until the end of the transaction, nobody else keeps or decides about requests of it. Take it after
 * the lock of erasures and before any row.
 */
export async function lockUsages(client: pg.PoolClient, workspaceId: string): Promise<Usage[]> {
  await run(
    client,
    sql`select pg_advisory_xact_lock(hashtextextended('leadgate held ' || ${workspaceId}::uuid, 0))`,
  );
  return rowsOf(
    client,
    sql<Usage>`
      select shard, workspace_id as "workspaceId", form_id as "formId", is_proven as "isProven", rows, bytes
      from held_usage where ${inWorkspace(workspaceId)} order by form_id, is_proven for update`,
  );
}

export async function giveBack(
  client: pg.PoolClient,
  workspaceId: string,
  freed: readonly FreedContent[],
): Promise<void> {
  const groups = Map.groupBy(freed, ({ formId, isProven }) => `${formId} ${isProven}`);
  for (const together of groups.values()) {
    const { formId, isProven } = together[0] as FreedContent;
    const bytes = together.reduce((sum, one) => sum + one.bytes, 0);
    await run(
      client,
      sql`update held_usage set rows = rows - ${together.length}::int, bytes = bytes - ${bytes}::bigint
        where ${inWorkspace(workspaceId)} and form_id = ${formId} and is_proven = ${isProven}`,
    );
  }
}
