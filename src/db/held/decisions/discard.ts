import { sql } from 'kysely';
import type pg from 'pg';
import { holdOffErasures } from '../../leads/lead-erasures.ts';
import { inTransaction } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { run } from '../../sql.ts';
import { addUsage, freedBy, lockUsage } from '../held-usage.ts';
import { lockHeldRows } from './held-rows.ts';

export interface Discard {
  readonly at: Date;
  readonly by: string;
  /** Of the selection that they are discarded with. */
  readonly decisionId: string | null;
}

/** Those that are gone are missing in the result. What the same selection discarded before counts as discarded. */
export async function discardRows(
  pool: pg.Pool,
  workspaceId: string,
  ids: readonly string[],
  { at, by, decisionId }: Discard,
): Promise<Map<string, 'discarded' | 'decided'>> {
  return inTransaction(pool, async (client) => {
    await holdOffErasures(client, workspaceId);
    await lockUsage(client, [workspaceId]);
    const rows = await lockHeldRows(client, workspaceId, ids, at);
    const held = rows.filter(({ state }) => state === 'held');
    const heldIds = held.map(({ id }) => id);
    await run(
      client,
      sql`update held_submissions set state = 'discarded', sealed = null, decided_at = ${at}, decided_by = ${by},
          decision_id = ${decisionId}
        where ${inWorkspace(workspaceId)} and id = any (${heldIds}::uuid[])`,
    );
    await addUsage(
      client,
      held.map((row) => freedBy(workspaceId, row)),
    );
    const isOwn = (row: (typeof rows)[number]) =>
      row.state === 'held' || (decisionId !== null && row.decisionId === decisionId);
    return new Map(rows.map((row) => [row.id, isOwn(row) ? 'discarded' : 'decided']));
  });
}
