import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface PersonRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface NewPerson {
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
  readonly invitedBy: Inviter;
  /** Only for the person who sets up the service; anyone else becomes an operator later. */
  readonly operator?: true;
}

/** Who invited a person, with their name at that time. */
export interface Inviter {
  /** `setup` for the first person, who used the link that the service printed. */
  readonly kind: 'person' | 'operator_key' | 'setup';
  readonly id: string | null;
  /** Also null for people who joined before this was recorded. */
  readonly name: string | null;
  readonly email: string | null;
}

const columns = sql`id, name, email, operator`;

/** A person who signs in with a password. Throws a unique violation when the email has an account already. */
export async function insertPerson(client: pg.PoolClient, person: NewPerson): Promise<PersonRecord> {
  const { name, email, passwordHash, createdAt, invitedBy, operator = false } = person;
  const inserted = await onlyRow(
    client,
    sql<PersonRecord>`insert into people (id, name, email, operator, created_at, updated_at, invited_by_kind,
        invited_by_id, invited_by_name, invited_by_email)
      values (${randomUUID()}, ${name}, ${email}, ${operator}, ${createdAt}, ${createdAt}, ${invitedBy.kind},
        ${invitedBy.id}, ${invitedBy.name}, ${invitedBy.email})
      returning ${columns}`,
  );
  await run(
    client,
    sql`insert into credentials (id, person_id, account_id, provider_id, password, created_at, updated_at)
      values (${randomUUID()}, ${inserted.id}, ${inserted.id}, 'credential', ${passwordHash}, ${createdAt},
        ${createdAt})`,
  );
  return inserted;
}

export async function hasPeople(db: Queryable): Promise<boolean> {
  const { found } = await onlyRow(db, sql<{ found: boolean }>`select exists (select from people) as found`);
  return found;
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<PersonRecord | null> {
  return firstRow(db, sql<PersonRecord>`select ${columns} from people where email = ${email}`);
}

/** The people with any of these email addresses. */
export async function findPeopleByEmail(db: Queryable, emails: readonly string[]): Promise<PersonRecord[]> {
  return rowsOf(db, sql<PersonRecord>`select ${columns} from people where email = any (${emails})`);
}

/** Null when there is no such person. */
export async function setOperator(
  client: pg.PoolClient,
  personId: string,
  operator: boolean,
  at: Date,
): Promise<PersonRecord | null> {
  return firstRow(
    client,
    sql<PersonRecord>`update people set operator = ${operator}, updated_at = ${at}
      where id = ${personId} returning ${columns}`,
  );
}

/** They opened a link that went only to their email address, which never changes. */
export async function proveEmail(client: pg.PoolClient, personId: string, at: Date): Promise<void> {
  await run(
    client,
    sql`update people set email_verified = true, updated_at = ${at} where id = ${personId} and not email_verified`,
  );
}

export async function setPassword(
  client: pg.PoolClient,
  personId: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  await run(
    client,
    sql`update credentials set password = ${passwordHash}, updated_at = ${at}
      where person_id = ${personId} and provider_id = 'credential'`,
  );
}
