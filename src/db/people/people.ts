import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';

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
}

/** Who let a person in, as they were then. */
export interface Inviter {
  /** `setup` for the first person, who came by the link that the service printed. */
  readonly kind: 'person' | 'operator_key' | 'setup';
  readonly id: string | null;
  /** Null also for people who joined before it was kept. */
  readonly name: string | null;
  readonly email: string | null;
}

const columns = 'id, name, email, operator';

/** A person who signs in with a password. Throws a unique violation when the email has an account already. */
export async function insertPerson(client: pg.PoolClient, person: NewPerson): Promise<PersonRecord> {
  const { name, email, passwordHash, createdAt, invitedBy } = person;
  const { rows } = await client.query(
    `insert into people (id, name, email, created_at, updated_at, invited_by_kind, invited_by_id, invited_by_name,
       invited_by_email)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8) returning ${columns}`,
    [randomUUID(), name, email, createdAt, invitedBy.kind, invitedBy.id, invitedBy.name, invitedBy.email],
  );
  const inserted: PersonRecord = rows[0];
  await client.query(
    `insert into credentials (id, person_id, account_id, provider_id, password, created_at, updated_at)
     values ($1, $2, $3, 'credential', $4, $5, $5)`,
    [randomUUID(), inserted.id, inserted.id, passwordHash, createdAt],
  );
  return inserted;
}

export async function hasPeople(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select exists (select from people) as found');
  return rows[0].found;
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<PersonRecord | null> {
  const { rows } = await db.query(`select ${columns} from people where email = $1`, [email]);
  return rows[0] ?? null;
}

/** Those of them that belong to somebody. */
export async function findPeopleByEmail(db: Queryable, emails: readonly string[]): Promise<PersonRecord[]> {
  const { rows } = await db.query(`select ${columns} from people where email = any ($1)`, [emails]);
  return rows;
}

/** Null when there is no such person. */
export async function setOperator(
  client: pg.PoolClient,
  personId: string,
  operator: boolean,
  at: Date,
): Promise<PersonRecord | null> {
  const { rows } = await client.query(
    `update people set operator = $2, updated_at = $3 where id = $1 returning ${columns}`,
    [personId, operator, at],
  );
  return rows[0] ?? null;
}

export async function setPassword(
  client: pg.PoolClient,
  personId: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  await client.query(
    `update credentials set password = $2, updated_at = $3 where person_id = $1 and provider_id = 'credential'`,
    [personId, passwordHash, at],
  );
}
