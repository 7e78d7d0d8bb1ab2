import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';
import type { Claim, DestinationRef, Release, WaitingDestination } from './deliver-database.ts';

/**
 * Takes the leases of destinations that someone should look at: because they were woken, or because their holder died. Those
 * that this instance holds already are returned when they were woken again. Whoever wakes one after this wakes it for the
 * next claim.
 */
export async function claimDestinations(
  db: Queryable,
  { instanceId, now, until, countMax, isFull }: Claim,
): Promise<DestinationRef[]> {
  const isFree = sql`wake_at <= ${now} and (until <= ${now} or instance_id = ${instanceId})
    or instance_id is not null and until <= ${now}`;
  return rowsOf(
    db,
    sql<DestinationRef>`
      update destination_leases l
      set instance_id = ${instanceId}, until = ${until}, wake_at = 'infinity', digest_at = null
      from destinations d
      where d.id = l.destination_id and l.destination_id = any (array(
        select destination_id from destination_leases
        where ${isFull ? sql`wake_at <= ${now} and instance_id = ${instanceId}` : isFree}
        order by wake_at limit ${countMax} for update skip locked))
      returning d.id, d.workspace_id as "workspaceId"`,
  );
}

/** Returns those that this instance still holds. */
export async function renewLeases(
  db: Queryable,
  instanceId: string,
  destinationIds: readonly string[],
  until: Date,
): Promise<string[]> {
  const kept = await rowsOf(
    db,
    sql<{ readonly id: string }>`
      update destination_leases set until = ${until}
      where instance_id = ${instanceId} and destination_id = any (${destinationIds}::uuid[])
      returning destination_id as id`,
  );
  return kept.map(({ id }) => id);
}

/** A time at which someone was asked to look stays, if it is earlier. */
export async function releaseLeases(
  db: Queryable,
  instanceId: string,
  releases: readonly Release[],
): Promise<void> {
  const ids = releases.map(({ destinationId }) => destinationId);
  const freeAts = releases.map(({ freeAt }) => freeAt);
  const wakeAts = releases.map(({ wakeAt }) => wakeAt);
  const digestAts = releases.map(({ digestAt }) => digestAt);
  await run(
    db,
    sql`
      update destination_leases l
      set instance_id = null, until = r.free_at, wake_at = least(l.wake_at, coalesce(r.wake_at, 'infinity')),
        digest_at = r.digest_at
      from unnest(${ids}::uuid[], ${freeAts}::timestamptz[], ${wakeAts}::timestamptz[],
          ${digestAts}::timestamptz[])
        as r (destination_id, free_at, wake_at, digest_at)
      where l.destination_id = r.destination_id and l.instance_id = ${instanceId}`,
  );
}

/**
 * Wakes destinations that nobody would look at when their deliveries are due, because whoever added these was killed before
 * it could wake them. Those that are held, or cannot send now, are left alone. Alarms are not collected for a digest.
 */
export async function wakeForgotten(
  db: Queryable,
  waiting: readonly WaitingDestination[],
  now: Date,
): Promise<void> {
  const ids = waiting.map(({ id }) => id);
  const dueAts = waiting.map(({ dueAt }) => dueAt);
  const alarmAts = waiting.map(({ alarmAt }) => alarmAt);
  await run(
    db,
    sql`
      insert into destination_leases as l (destination_id, wake_at)
      select d.id, greatest(least(greatest(w.due_at, c.digest_at), w.alarm_at), h.next_probe_at)
      from unnest(${ids}::uuid[], ${dueAts}::timestamptz[], ${alarmAts}::timestamptz[]) as w (id, due_at, alarm_at)
      join destinations d on d.id = w.id and d.status = 'active'
      join workspaces s on s.id = d.workspace_id and s.status = 'active'
      left join destination_health h on h.destination_id = d.id
      left join destination_leases c on c.destination_id = d.id
      on conflict (destination_id) do update set wake_at = excluded.wake_at
      where l.wake_at > excluded.wake_at and (l.instance_id is null or l.until <= ${now})`,
  );
}

export interface SweptDestinations {
  readonly deleted: readonly DestinationRef[];
  /** When the first delivery of those that send is due. */
  readonly firstDueAt: Date | null;
}

/** What became of destinations that have pending deliveries. */
export async function inspectWaiting(
  db: Queryable,
  waiting: readonly WaitingDestination[],
): Promise<SweptDestinations> {
  const ids = waiting.map(({ id }) => id);
  const found = await rowsOf(
    db,
    sql<{ readonly id: string; readonly isActive: boolean; readonly digestAt: Date | null }>`
      select d.id, d.status = 'active' and s.status = 'active' as "isActive", l.digest_at as "digestAt"
      from destinations d join workspaces s on s.id = d.workspace_id
      left join destination_leases l on l.destination_id = d.id
      where d.id = any (${ids}::uuid[])`,
  );
  const known = new Map(found.map((row) => [row.id, row]));
  const dueTimes = waiting
    .filter(({ id }) => known.get(id)?.isActive)
    .map(({ id, dueAt }) => Math.max(dueAt.getTime(), known.get(id)?.digestAt?.getTime() ?? 0));
  return {
    deleted: waiting.filter(({ id }) => !known.has(id)),
    firstDueAt: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)),
  };
}
