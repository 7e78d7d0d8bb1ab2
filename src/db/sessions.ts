import type { Queryable } from './pool.ts';

/** The rest of this table is the account library's business. */
export async function deleteExpiredSessions(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from sessions where expires_at < $1', [now]);
}
