import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { hasPeople } from './people.ts';

// A link that lies about in a terminal or a log must not wait there for months.
const lifetime = `interval '24 hours'`;

/** Remembers a link, unless there is somebody already. */
export async function insertSetupToken(db: Queryable, tokenHash: Buffer, createdAt: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into setup_tokens (token_hash, created_at)
     select $1, $2 where not exists (select from people)`,
    [tokenHash, createdAt],
  );
  return rowCount === 1;
}

export async function isSetupToken(db: Queryable, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await db.query(
    `select from setup_tokens where token_hash = $1 and created_at + ${lifetime} > $2::timestamptz`,
    [tokenHash, now],
  );
  return rows.length > 0;
}

/** Uses up every link. False when this one is not among them, or when somebody was first. */
export async function takeSetupTokens(client: pg.PoolClient, tokenHash: Buffer, now: Date): Promise<boolean> {
  await client.query('lock table setup_tokens in exclusive mode');
  if (!(await isSetupToken(client, tokenHash, now)) || (await hasPeople(client))) return false;
  await client.query('delete from setup_tokens');
  return true;
}
