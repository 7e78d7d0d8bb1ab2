import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, run } from '../sql.ts';
import { hasPeople } from './people.ts';

// A link that is left in a terminal or a log must not stay valid for long.
const lifetime = sql`interval '24 hours'`;

/** Stores a link, unless there are people already. */
export async function insertSetupToken(db: Queryable, tokenHash: Buffer, createdAt: Date): Promise<boolean> {
  const inserted = await changedBy(
    db,
    sql`insert into setup_tokens (token_hash, created_at)
      select ${tokenHash}, ${createdAt} where not exists (select from people)`,
  );
  return inserted === 1;
}

export async function isSetupToken(db: Queryable, tokenHash: Buffer, now: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from setup_tokens
      where token_hash = ${tokenHash} and created_at + ${lifetime} > ${now}::timestamptz`,
  );
  return found !== null;
}

/** Deletes all links. False when this one is not valid or someone has signed up already. */
export async function takeSetupTokens(client: pg.PoolClient, tokenHash: Buffer, now: Date): Promise<boolean> {
  await run(client, sql`lock table setup_tokens in exclusive mode`);
  if (!(await isSetupToken(client, tokenHash, now)) || (await hasPeople(client))) return false;
  await run(client, sql`delete from setup_tokens`);
  return true;
}
