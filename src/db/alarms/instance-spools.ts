import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';

export interface SpoolNote {
  /** The host and the port. */
  readonly instance: string;
  readonly leads: number;
  readonly bytes: number;
}

export interface InstanceSpool extends SpoolNote {
  /** Since when it was not empty; null if it is. */
  readonly since: Date | null;
  readonly notedAt: Date;
}

export async function noteSpool(
  db: Queryable,
  { instance, leads, bytes }: SpoolNote,
  at: Date,
): Promise<void> {
  await run(
    db,
    sql`
      insert into instance_spools as s (instance, leads, bytes, since, noted_at)
      values (${instance}, ${leads}, ${bytes}, ${leads === 0 ? null : at}, ${at})
      on conflict (instance) do update set leads = excluded.leads, bytes = excluded.bytes, noted_at = excluded.noted_at,
        since = case when excluded.leads = 0 then null else coalesce(s.since, excluded.since) end`,
  );
}

export async function listSpools(db: Queryable): Promise<InstanceSpool[]> {
  return rowsOf(
    db,
    sql<InstanceSpool>`
      select instance, leads, bytes, since, noted_at as "notedAt" from instance_spools order by instance`,
  );
}

/** Of instances that are no longer there. */
export async function deleteOldSpools(db: Queryable, before: number): Promise<void> {
  await run(db, sql`delete from instance_spools where noted_at < ${new Date(before)}`);
}
