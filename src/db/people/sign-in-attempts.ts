import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { firstRow, rowsOf, run } from '../sql.ts';

export interface CountedKey {
  readonly key: Buffer;
  /** When the window ends, if this attempt opens one. */
  readonly windowEndsAt: Date;
}

export interface CountedAttempts {
  readonly key: Buffer;
  readonly attempts: number;
  readonly windowEndsAt: Date;
}

/** Counts one attempt under each key; restarts windows that have ended. Sorted, so that two calls cannot deadlock. */
export async function countAttempt(
  db: Queryable,
  keys: readonly CountedKey[],
  now: Date,
): Promise<CountedAttempts[]> {
  const ends = keys.map(({ windowEndsAt }) => windowEndsAt);
  const hasEnded = sql`a.window_ends_at <= ${now}`;
  return rowsOf(
    db,
    sql<CountedAttempts>`insert into sign_in_attempts as a (key, attempts, window_ends_at)
      select key, 1, ends
      from unnest(${keys.map(({ key }) => key)}::bytea[], ${ends}::timestamptz[]) as k (key, ends) order by key
      on conflict (key) do update set
        attempts = case when ${hasEnded} then 1 else a.attempts + 1 end,
        window_ends_at = case when ${hasEnded} then excluded.window_ends_at else a.window_ends_at end
      returning key, attempts, window_ends_at as "windowEndsAt"`,
  );
}

/** Of windows that have not ended. Keys without one are left out. */
export async function readAttempts(
  db: Queryable,
  keys: readonly Buffer[],
  now: Date,
): Promise<CountedAttempts[]> {
  return rowsOf(
    db,
    sql<CountedAttempts>`select key, attempts, window_ends_at as "windowEndsAt" from sign_in_attempts
      where key = any (${keys}) and window_ends_at > ${now}`,
  );
}

export async function uncountAttempt(db: Queryable, keys: readonly Buffer[]): Promise<void> {
  await run(
    db,
    sql`update sign_in_attempts set attempts = greatest(attempts - 1, 0) where key = any (array(
        select key from sign_in_attempts where key = any (${keys}) order by key for update))`,
  );
}

export async function hasLivingKey(db: Queryable, key: Buffer, now: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from sign_in_attempts where key = ${key} and window_ends_at > ${now}`,
  );
  return found !== null;
}

export async function putKey(db: Queryable, key: Buffer, endsAt: Date): Promise<void> {
  await run(
    db,
    sql`insert into sign_in_attempts (key, attempts, window_ends_at) values (${key}, 0, ${endsAt})
      on conflict (key) do update set window_ends_at = excluded.window_ends_at`,
  );
}

export async function deleteEndedWindows(db: Queryable, now: Date): Promise<void> {
  await run(
    db,
    sql`delete from sign_in_attempts where key = any (array(
        select key from sign_in_attempts where window_ends_at <= ${now} limit 1000 for update skip locked))`,
  );
}
