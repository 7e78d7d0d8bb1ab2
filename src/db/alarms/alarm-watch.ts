import { sql } from 'kysely';
import type pg from 'pg';
import { hourMs } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, run } from '../sql.ts';

export interface WatchLease {
  readonly instanceId: string;
  readonly now: Date;
  readonly until: Date;
}

export interface TakenWatch {
  /** False if this instance held the lease already. */
  readonly isNew: boolean;
  /** Since when nobody has watched, if the former holder vanished without a word. */
  readonly vanishedSince: Date | null;
}

interface Former {
  readonly formerId: string | null;
  readonly formerUntil: Date | null;
  readonly judgedAt: Date | null;
}

/** No two clocks differ by more: such a lease is of an instance whose clock was wrong, and which has vanished. */
const aheadMsMax = hourMs;

/** Takes the lease, or renews it; null while another instance holds it. */
export async function takeWatch(
  db: Queryable,
  { instanceId, now, until }: WatchLease,
): Promise<TakenWatch | null> {
  const implausible = new Date(until.getTime() + aheadMsMax);
  const former = await firstRow(
    db,
    sql<Former>`
      with former as materialized (select "only", instance_id, until, judged_at from alarm_watch for update)
      update alarm_watch w set instance_id = ${instanceId}, until = ${until}
      from former
      where w."only" = former."only"
        and (former.instance_id is null or former.instance_id = ${instanceId} or former.until <= ${now}
          or isfinite(former.until) and former.until > ${implausible})
      returning former.instance_id::text as "formerId", former.judged_at as "judgedAt",
        nullif(former.until, '-infinity') as "formerUntil"`,
  );
  if (former === null) return null;
  const isNew = former.formerId !== instanceId;
  const hasVanished = isNew && former.formerId !== null;
  return { isNew, vanishedSince: hasVanished ? (former.judgedAt ?? former.formerUntil) : null };
}

/**
 * False if the lease is lost. Otherwise nobody can take it until the transaction ends, so what one holder writes is complete
 * before the next one starts.
 */
export async function holdsWatch(client: pg.PoolClient, instanceId: string, now: Date): Promise<boolean> {
  const held = await firstRow(
    client,
    sql`select from alarm_watch where instance_id = ${instanceId} and until > ${now} for share`,
  );
  return held !== null;
}

/** False if the lease is lost. */
export async function saveJudged(db: Queryable, instanceId: string, at: Date): Promise<boolean> {
  return (
    (await changedBy(db, sql`update alarm_watch set judged_at = ${at} where instance_id = ${instanceId}`)) ===
    1
  );
}

/** For the next instance, which then knows that this one has not vanished. */
export async function releaseWatch(db: Queryable, instanceId: string): Promise<void> {
  await run(
    db,
    sql`update alarm_watch set instance_id = null, until = '-infinity' where instance_id = ${instanceId}`,
  );
}
