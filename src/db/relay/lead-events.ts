import { sql } from 'kysely';
import type pg from 'pg';
import type { EventFacts } from '../../domain/destination/lead-facts.ts';
import { shardOf } from '../../domain/workspace.ts';
import { insertRows, rowsOf } from '../sql.ts';

export interface NewEvent extends EventFacts {
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * Reserves the next numbers of these workspaces, and locks their counters until the end of the transaction: so nobody can
 * see a number before all smaller ones. Returns the first number of each workspace.
 */
export async function reserveNumbers(
  client: pg.PoolClient,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  // Always in the same order, so that two transactions cannot deadlock.
  const rows = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([workspaceId, count]) => sql`(${shardOf(workspaceId)}, ${workspaceId}, ${count})`);
  const counters = await rowsOf(
    client,
    sql<{ readonly workspaceId: string; readonly last: number }>`
      insert into event_counters as c (shard, workspace_id, last) values ${sql.join(rows)}
      on conflict (shard, workspace_id) do update set last = c.last + excluded.last
      returning workspace_id as "workspaceId", last`,
  );
  return new Map(
    counters.map(({ workspaceId, last }) => [workspaceId, last - (counts.get(workspaceId) as number) + 1]),
  );
}

export async function insertEvents(client: pg.PoolClient, events: readonly NewEvent[]): Promise<void> {
  await insertRows(
    client,
    'lead_events (shard, workspace_id, id, type, submission_id, at, data)',
    events.map(({ workspaceId, number, type, submissionId, at, data }) => [
      shardOf(workspaceId),
      workspaceId,
      number,
      type,
      submissionId,
      at,
      data === null ? null : JSON.stringify(data),
    ]),
  );
}
