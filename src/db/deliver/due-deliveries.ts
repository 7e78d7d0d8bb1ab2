import { type RawBuilder, sql } from 'kysely';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';
import type {
  DestinationRef,
  DueDeliveries,
  DueDelivery,
  DueQuery,
  WaitingDestination,
} from './deliver-database.ts';
import { cancelWaiting } from './delivery-replays.ts';

/** What is due, or when the next one is: alarms first, then live deliveries, then replays. */
export async function readDueDeliveries(
  db: Queryable,
  { id, workspaceId }: DestinationRef,
  { now, limit, except }: DueQuery,
): Promise<DueDeliveries> {
  const part = (rank: number, condition: RawBuilder<unknown>) => sql`(
    select id, event_id, event_type, event_at, event_data, submission_id, attempts, next_at, external_ref, ${rank}::integer as rank
    from deliveries
    where ${inWorkspace(workspaceId)} and destination_id = ${id} and state = 'pending' and ${condition}
      and id <> all (${except}::uuid[])
    order by next_at limit ${limit})`;
  const others = (isReplay: boolean) => sql`${isReplayed(isReplay)} and not (${isAlarm})`;
  const pending = await rowsOf(
    db,
    sql<DueDelivery>`
      select d.id, d.event_id as "eventNumber", d.event_type as "eventType", d.event_at as "eventAt",
        d.event_data as "eventData", d.submission_id as "submissionId", d.attempts, d.next_at as "nextAt",
        octet_length(l.body) as "leadBytes",
        coalesce(string_to_array(d.external_ref, ' '), '{}') as "sentTo"
      from (${part(0, isAlarm)} union all ${part(1, others(false))} union all ${part(2, others(true))}) d
      left join leads l on ${isShardOf(workspaceId, 'l')} and l.workspace_id = ${workspaceId}
        and l.submission_id = d.submission_id
      order by d.rank, d.next_at`,
  );
  const due = pending.filter(({ nextAt }) => nextAt <= now).slice(0, limit);
  const later = pending.filter(({ nextAt }) => nextAt > now).map(({ nextAt }) => nextAt.getTime());
  return { due, nextAt: later.length === 0 ? null : new Date(Math.min(...later)) };
}

/** The condition of an index: few deliveries are about alarms, and they wait for no others. */
const isAlarm = sql`event_type in ('alarm.opened', 'alarm.reminder', 'alarm.closed', 'alarm.digest')`;

/** Written so that each is the condition of an index. */
function isReplayed(isReplay: boolean): RawBuilder<unknown> {
  return isReplay ? sql`replay_of is not null` : sql`replay_of is null`;
}

// With as many tries or fewer, a delivery was tried first within the last hour or so.
const lateAttempts = 3;

/**
 * Of the newest ones, so that it is a short scan of one index. Those that have reached only some of their recipients count,
 * too: a recipient who is always refused must not let the others get a message for each lead.
 */
export async function countDelivered(
  db: Queryable,
  { id, workspaceId }: DestinationRef,
  since: Date,
  countMax: number,
): Promise<number> {
  const partly = (isReplay: boolean) => sql`(
    select from deliveries
    where ${inWorkspace(workspaceId)} and destination_id = ${id} and state = 'pending' and ${isReplayed(isReplay)}
      and next_at > ${since} and external_ref is not null and attempts <= ${lateAttempts}
    limit ${countMax})`;
  const { count } = await onlyRow(
    db,
    sql<{ readonly count: number }>`
      select count(*) as count from (
        (select from (
          select delivered_at from deliveries
          where ${inWorkspace(workspaceId)} and destination_id = ${id} and state = 'delivered'
          order by id desc limit ${countMax}) as newest
        where delivered_at > ${since})
        union all ${partly(false)} union all ${partly(true)}) as counted`,
  );
  return count;
}

/** Sends what waits only because nobody received it. Each keeps its tries. */
export async function sendUnreceived(
  db: Queryable,
  { id, workspaceId }: DestinationRef,
  now: Date,
): Promise<void> {
  await run(
    db,
    sql`
      update deliveries set next_at = ${now}
      where ${inWorkspace(workspaceId)} and destination_id = ${id} and state = 'pending' and next_at > ${now}
        and last_error_class = 'no_recipients'`,
  );
}

const cancelledPerStep = 1_000;

/** Of a destination that was deleted. */
export async function cancelPending(db: Queryable, destination: DestinationRef): Promise<void> {
  while (await cancelSome(db, destination));
}

/** True if there may be more. */
export async function cancelSome(db: Queryable, { id, workspaceId }: DestinationRef): Promise<boolean> {
  const why = 'The destination was deleted.';
  return (await cancelWaiting(db, workspaceId, id, why, cancelledPerStep)) === cancelledPerStep;
}

/** The position of the last one of a list. */
type Place = Pick<WaitingDestination, 'id' | 'workspaceId'>;

const first: Place = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Destinations that have pending deliveries, with the time of the first, after `place` in the order of the index: it is
 * asked for the next destination each time, however many deliveries there are. Null for all shards, on a server where they
 * are together.
 */
export async function listWaiting(
  db: Queryable,
  shard: number | null,
  isReplay: boolean,
  place: Place | null,
  countMax: number,
): Promise<WaitingDestination[]> {
  const inShard = shard === null ? sql`true` : sql`shard = ${shard}`;
  const next = (after: RawBuilder<unknown>) => sql`
    select shard, workspace_id, destination_id, next_at from deliveries
    where ${inShard} and state = 'pending' and ${isReplayed(isReplay)}
      and (shard, workspace_id, destination_id) > (${after})
    order by shard, workspace_id, destination_id, next_at limit 1`;
  const { workspaceId, id } = place ?? first;
  const start = place === null ? (shard ?? 0) : shardOf(workspaceId);
  return rowsOf(
    db,
    sql<WaitingDestination>`
      with recursive found as (
        (${next(sql`${start}::smallint, ${workspaceId}::uuid, ${id}::uuid`)})
        union all
        select n.* from found f
        cross join lateral (${next(sql`f.shard, f.workspace_id, f.destination_id`)}) n
      )
      select destination_id as id, workspace_id as "workspaceId", next_at as "dueAt",
        (select a.next_at from deliveries a
         where ${inShard} and a.shard = f.shard and a.workspace_id = f.workspace_id and a.destination_id = f.destination_id
           and state = 'pending' and ${isAlarm}
         order by a.next_at limit 1) as "alarmAt"
      from found f limit ${countMax}`,
  );
}
