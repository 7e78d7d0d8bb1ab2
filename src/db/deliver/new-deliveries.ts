import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import type { NewEvent } from '../relay/lead-events.ts';
import { insertRows, rowsOf, run } from '../sql.ts';

export interface NewDelivery {
  readonly id: string;
  readonly destinationId: string;
  readonly event: NewEvent;
  readonly nextAt: Date;
  readonly createdAt: Date;
}

/** One for each destination and event, however often this is done. */
export async function insertDeliveries(
  client: pg.PoolClient,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await insertRows(
    client,
    `deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, event_data, submission_id,
      state, next_at, created_at)`,
    deliveries.map(({ id, destinationId, event, nextAt, createdAt }) => [
      shardOf(event.workspaceId),
      event.workspaceId,
      id,
      destinationId,
      event.number,
      event.type,
      event.at,
      event.data === null ? null : JSON.stringify(event.data),
      event.submissionId,
      'pending',
      nextAt,
      createdAt,
    ]),
    'on conflict do nothing',
  );
}

/** The deliveries that waited for the enrichment of these leads. Returns the destinations that have any. */
export async function sendEnriched(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const due = await rowsOf(
    client,
    sql<{ readonly destinationId: string }>`
      update deliveries set next_at = ${now}
      where shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId}
        and submission_id = any (${submissionIds}::uuid[]) and state = 'pending' and attempts = 0
        and next_at > ${now} and event_type in ('lead.accepted', 'lead.released')
      returning destination_id as "destinationId"`,
  );
  return [...new Set(due.map(({ destinationId }) => destinationId))];
}

/** When someone should look at a destination. */
export interface Wake {
  readonly at: Date;
  /** True if it is about an alarm, which is not collected for a digest. */
  readonly isUrgent: boolean;
}

/** Has someone look at these destinations when their deliveries are due, or when those that are collected are sent. */
export async function wakeDestinations(db: Queryable, wakes: ReadonlyMap<string, Wake>): Promise<void> {
  if (wakes.size === 0) return;
  const wakeAt = sql`case when due.is_urgent then due.at else greatest(due.at, l.digest_at) end`;
  const column = <Value>(read: (wake: Wake) => Value) => [...wakes.values()].map(read);
  await run(
    db,
    sql`
      update destination_leases l set wake_at = ${wakeAt}
      from unnest(${[...wakes.keys()]}::uuid[], ${column(({ at }) => at)}::timestamptz[],
          ${column(({ isUrgent }) => isUrgent)}::boolean[]) as due (destination_id, at, is_urgent)
      where l.destination_id = due.destination_id and l.wake_at > ${wakeAt}`,
  );
}
