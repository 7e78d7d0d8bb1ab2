import { type RawBuilder, sql } from 'kysely';
import { firstDeliveryId } from '../../domain/destination/delivery-id.ts';
import type { DeliveryState } from '../../domain/destination/destination.ts';
import { dayMs } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

/** What became of the deliveries of a destination within a day. */
export interface DestinationDay {
  readonly destinationId: string;
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  readonly oldestWaitingAt: Date | null;
  readonly p95Ms: number | null;
}

export interface DayOptions {
  readonly now: Date;
  /** Nothing is counted further. */
  readonly countMax: number;
}

// Enough for a percentile.
const responsesMax = 200;

/** Short scans of one index, however many deliveries there are. */
export async function readDestinationDays(
  db: Queryable,
  workspaceId: string,
  destinationIds: readonly string[],
  { now, countMax }: DayOptions,
): Promise<ReadonlyMap<string, DestinationDay>> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const isIn = (state: DeliveryState) =>
    sql`${inWorkspace(workspaceId)} and destination_id = d.id and state = ${state}`;
  const counted = (rows: RawBuilder<unknown>) =>
    sql`(select count(*) from (${rows} limit ${countMax}) as counted)`;
  const rows = await rowsOf(
    db,
    sql<DestinationDay>`
      select d.id as "destinationId",
        ${counted(sql`select from deliveries where ${isIn('delivered')} and id >= ${firstDeliveryId(dayAgo)}`)} as delivered,
        ${counted(sql`select from deliveries where ${isIn('pending')}`)} as waiting,
        ${counted(deadSince(workspaceId, isIn('dead'), dayAgo, countMax))} as dead,
        (select created_at from deliveries where ${isIn('pending')} order by id limit 1) as "oldestWaitingAt",
        (select percentile_disc(0.95) within group (order by last_ms) from (
          select last_ms from deliveries where ${isIn('delivered')} order by id desc limit ${responsesMax}
        ) as newest) as "p95Ms"
      from unnest(${destinationIds}::uuid[]) as d (id)`,
  );
  return new Map(rows.map((row) => [row.destinationId, row]));
}

/** Those of the newest that died within the day and were not sent again since. */
function deadSince(
  workspaceId: string,
  isDead: RawBuilder<unknown>,
  since: Date,
  readMax: number,
): RawBuilder<unknown> {
  return sql`
    select from (select * from deliveries where ${isDead} order by id desc limit ${readMax}) as dead
    where dead.next_at > ${since} and (${laterDelivery(workspaceId, 'dead')} limit 1) is null`;
}

/**
 * Deliveries of the same event to the same destination that were created after it, found by the lead. For `exists`,
 * PostgreSQL may read all deliveries of the workspace first, so callers ask for one.
 */
export function laterDelivery(workspaceId: string, table: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql`
    select true from deliveries as later
    where ${isShardOf(workspaceId, 'later')} and later.workspace_id = ${workspaceId}
      and later.submission_id = ${of('submission_id')} and later.destination_id = ${of('destination_id')}
      and later.event_id = ${of('event_id')} and later.id > ${of('id')}`;
}
