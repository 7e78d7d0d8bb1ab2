import type pg from 'pg';
import { hasPeople } from './people.ts';
import type { Queryable } from './pool.ts';

/** Remembers a link, unless there is somebody already. */
export async function insertSetupToken(db: Queryable, tokenHash: Buffer, createdAt: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into setup_tokens (token_hash, created_at)
     select $1, $2 where not exists (select from people)`,
    [tokenHash, createdAt],
  );
  return rowCount === 1;
}

export async function isSetupToken(db: Queryable, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await db.query('select from setup_tokens where token_hash = $1', [tokenHash]);
  return rows.length > 0;
}

/** Uses up every link. False when this one is not among them, or when somebody was first. */
export async function takeSetupTokens(client: pg.PoolClient, tokenHash: Buffer): Promise<boolean> {
  await client.query('lock table setup_tokens in exclusive mode');
  if (!(await isSetupToken(client, tokenHash)) || (await hasPeople(client))) return false;
  await client.query('delete from setup_tokens');
  return true;
}
