import type { Queryable } from '../pool.ts';

/** The rest of this table is the account library's business. */
export async function deleteExpiredSessions(db: Queryable, now: Date, createdUntil: Date): Promise<void> {
  await db.query('delete from sessions where expires_at < $1 or created_at <= $2', [now, createdUntil]);
}

/** Signs a person out everywhere. */
export async function deleteSessionsOf(db: Queryable, personId: string): Promise<void> {
  await db.query('delete from sessions where person_id = $1', [personId]);
}

export async function hasSessions(db: Queryable, personId: string): Promise<boolean> {
  const { rows } = await db.query('select from sessions where person_id = $1 limit 1', [personId]);
  return rows.length > 0;
}
