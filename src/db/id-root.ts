import type { Queryable } from './pool.ts';

export async function findIdRoot(db: Queryable): Promise<Buffer | null> {
  const { rows } = await db.query('select sealed from id_root');
  return rows[0]?.sealed ?? null;
}

/** The first one stays: instances that start together must all make the same ids. */
export async function insertIdRoot(db: Queryable, sealed: Buffer): Promise<void> {
  await db.query('insert into id_root (sealed) values ($1) on conflict do nothing', [sealed]);
}

/** Only if it is still the one that was looked at. */
export async function replaceIdRoot(db: Queryable, before: Buffer, sealed: Buffer): Promise<void> {
  await db.query('update id_root set sealed = $2 where sealed = $1', [before, sealed]);
}
