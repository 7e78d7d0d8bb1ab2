import type { Queryable } from '../pool.ts';

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

/** Counts one attempt under each key; a window that has ended begins anew. Sorted, so that no two calls block each other. */
export async function countAttempt(
  db: Queryable,
  keys: readonly CountedKey[],
  now: Date,
): Promise<CountedAttempts[]> {
  const { rows } = await db.query(
    `insert into sign_in_attempts as a (key, attempts, window_ends_at)
     select key, 1, ends from unnest($1::bytea[], $2::timestamptz[]) as k (key, ends) order by key
     on conflict (key) do update set
       attempts = case when a.window_ends_at <= $3 then 1 else a.attempts + 1 end,
       window_ends_at = case when a.window_ends_at <= $3 then excluded.window_ends_at else a.window_ends_at end
     returning key, attempts, window_ends_at as "windowEndsAt"`,
    [keys.map(({ key }) => key), keys.map(({ windowEndsAt }) => windowEndsAt), now],
  );
  return rows;
}

export async function uncountAttempt(db: Queryable, keys: readonly Buffer[]): Promise<void> {
  await db.query(
    `update sign_in_attempts set attempts = greatest(attempts - 1, 0) where key = any (array(
       select key from sign_in_attempts where key = any ($1) order by key for update))`,
    [keys],
  );
}

export async function hasLivingKey(db: Queryable, key: Buffer, now: Date): Promise<boolean> {
  const { rows } = await db.query('select from sign_in_attempts where key = $1 and window_ends_at > $2', [
    key,
    now,
  ]);
  return rows.length > 0;
}

export async function putKey(db: Queryable, key: Buffer, endsAt: Date): Promise<void> {
  await db.query(
    `insert into sign_in_attempts (key, attempts, window_ends_at) values ($1, 0, $2)
     on conflict (key) do update set window_ends_at = excluded.window_ends_at`,
    [key, endsAt],
  );
}

export async function deleteEndedWindows(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from sign_in_attempts where key = any (array(
       select key from sign_in_attempts where window_ends_at <= $1 limit 1000 for update skip locked))`,
    [now],
  );
}
