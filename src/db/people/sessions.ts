import { sql } from 'kysely';
import type { Role } from '../../domain/role.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, rowsOf, run } from '../sql.ts';

/** A valid session, for code that keeps working for a person after their request. */
export interface SessionNow {
  readonly id: string;
  /** Differs when the person's account, roles or workspaces have changed. */
  readonly print: string;
  /** By workspace ID. */
  readonly roles: Readonly<Record<string, Role>>;
}

/** Those of these sessions that are valid at this time and were created after `createdUntil`. */
export async function listValidSessions(
  db: Queryable,
  ids: readonly string[],
  now: Date,
  createdUntil: Date,
): Promise<SessionNow[]> {
  return rowsOf(
    db,
    sql<SessionNow>`
      select s.id, m.roles, jsonb_build_array(p.name, p.email, p.operator, m.roles, m.workspaces)::text as print
      from sessions s
      join people p on p.id = s.person_id
      cross join lateral (
        select coalesce(jsonb_object_agg(w.id, m.role), '{}') as roles,
          coalesce(jsonb_object_agg(w.id, jsonb_build_array(w.name, w.status)), '{}') as workspaces
        from memberships m join workspaces w on w.id = m.workspace_id where m.person_id = p.id
      ) m
      where s.id = any (${ids}::uuid[]) and s.expires_at > ${now} and s.created_at > ${createdUntil}`,
  );
}

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
