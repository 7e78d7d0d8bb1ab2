import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, rowsOf, run } from '../sql.ts';

/** The account library manages the rest of this table. */
export async function deleteExpiredSessions(db: Queryable, now: Date, createdUntil: Date): Promise<void> {
  await run(db, sql`delete from sessions where expires_at < ${now} or created_at <= ${createdUntil}`);
}

/** The password was entered in this session. */
export async function putPasswordProof(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await run(db, sql`update sessions set password_checked_at = ${at} where id = ${sessionId}`);
}

/** Signs a person out everywhere. */
export async function deleteSessionsOf(db: Queryable, personId: string): Promise<void> {
  await run(db, sql`delete from sessions where person_id = ${personId}`);
}

export async function hasSessions(db: Queryable, personId: string): Promise<boolean> {
  return (await firstRow(db, sql`select from sessions where person_id = ${personId} limit 1`)) !== null;
}

export interface SessionRecord {
  readonly id: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** The sessions of a person that can still be used, last used first. */
export async function listSessionsOf(
  db: Queryable,
  personId: string,
  now: Date,
  createdAfter: Date,
  limit: number,
): Promise<SessionRecord[]> {
  return rowsOf(
    db,
    sql<SessionRecord>`select id, ip_address as address, user_agent as "userAgent", created_at as "createdAt",
        updated_at as "lastSeenAt", expires_at as "expiresAt"
      from sessions where person_id = ${personId} and expires_at > ${now} and created_at > ${createdAfter}
      order by updated_at desc, id limit ${limit}`,
  );
}

/** False if the person has no such session. */
export async function deleteSession(db: Queryable, personId: string, sessionId: string): Promise<boolean> {
  const ended = sql`delete from sessions where person_id = ${personId} and id = ${sessionId}`;
  return (await changedBy(db, ended)) === 1;
}

/** Ends all sessions of a person but one, and counts those that could still be used. */
export async function deleteOtherSessions(
  db: Queryable,
  personId: string,
  keptId: string,
  now: Date,
  createdAfter: Date,
): Promise<number> {
  const ended = await rowsOf(
    db,
    sql<{ wasUsable: boolean }>`delete from sessions where person_id = ${personId} and id <> ${keptId}
      returning expires_at > ${now} and created_at > ${createdAfter} as "wasUsable"`,
  );
  return ended.filter(({ wasUsable }) => wasUsable).length;
}

/** Notes that a session is in use. */
export async function touchSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await run(db, sql`update sessions set updated_at = ${now} where id = ${sessionId} and updated_at < ${now}`);
}
