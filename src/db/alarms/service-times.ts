import { sql } from 'kysely';
import type { Interval } from '../../domain/alarm/silence/interval.ts';
import { secondMs } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';

/** Longer than the pause between two notes, and than a restart. */
export const toleratedPauseMs = 150 * secondMs;

/** Notes that leads are accepted: continues the newest time of service, or begins another one after a pause. */
export async function noteService(db: Queryable, now: Date): Promise<void> {
  const pausedAt = new Date(now.getTime() - toleratedPauseMs);
  // A clock that was set back leaves the time of service as it is.
  await run(
    db,
    sql`
      with continued as (
        update service_times set until_at = greatest(until_at, ${now})
        where started_at = (select max(started_at) from service_times) and until_at >= ${pausedAt}
        returning started_at)
      insert into service_times (started_at, until_at)
      select ${now}::timestamptz, ${now}::timestamptz where not exists (select from continued)
      on conflict (started_at) do nothing`,
  );
}

/** Those that lasted until then or later, in milliseconds. */
export async function listServiceTimes(db: Queryable, since: Date): Promise<Interval[]> {
  const rows = await rowsOf(
    db,
    sql<{ readonly from: Date; readonly to: Date }>`
      select started_at as "from", until_at as "to" from service_times where until_at >= ${since} order by 1`,
  );
  return rows.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }));
}

export async function deleteOldServiceTimes(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from service_times where until_at < ${new Date(before)}`);
}
