import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';

/** The account library manages the rest of this table. */
export async function deleteExpiredSessions(db: Queryable, now: Date, createdUntil: Date): Promise<void> {
  await run(db, sql`delete from sessions where expires_at < ${now} or created_at <= ${createdUntil}`);
}

/** Signs a person out everywhere. */
export async function deleteSessionsOf(db: Queryable, personId: string): Promise<void> {
  await run(db, sql`delete from sessions where person_id = ${personId}`);
}

export async function hasSessions(db: Queryable, personId: string): Promise<boolean> {
  return (await firstRow(db, sql`select from sessions where person_id = ${personId} limit 1`)) !== null;
}
