import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Queryable } from './pool.ts';

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
}

const columns = 'id, name, email, operator';

/** A person who signs in with a password. Throws a unique violation when the email has an account already. */
export async function insertPerson(client: pg.PoolClient, person: NewPerson): Promise<PersonRecord> {
  const { name, email, passwordHash, createdAt } = person;
  const { rows } = await client.query(
    `insert into people (id, name, email, created_at, updated_at) values ($1, $2, $3, $4, $4) returning ${columns}`,
    [randomUUID(), name, email, createdAt],
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

export async function setOperator(
  db: Queryable,
  email: string,
  operator: boolean,
  at: Date,
): Promise<PersonRecord | null> {
  const { rows } = await db.query(
    `update people set operator = $2, updated_at = $3 where email = $1 returning ${columns}`,
    [email, operator, at],
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
