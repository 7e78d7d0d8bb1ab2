import { sql } from 'kysely';
import { firstIdRoot, type Keys, type SealedSecret, sealIdRoot } from '../../domain/secrets/id-root.ts';
import { SecretBox } from '../../domain/secrets/secret-box.ts';
import { sampleWebhookSecrets } from '../forms/webhook-secrets.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';
import { sampleSealed, sealedColumns } from './sealed-values.ts';

const secretsSampled = 100;

/** What an earlier version left on this machine; null when there is nothing. */
export interface EarlierSnapshot {
  sealedEarlier(): Promise<SealedSecret | null>;
}

/**
 * Stores the root of ids where there is none yet, before anything is sealed with another key than that of the version
 * before: afterwards nothing tells which one it was. Stores none when our keys are not those of the database.
 */
export async function storeFirstIdRoot(db: Queryable, keys: Keys, snapshot: EarlierSnapshot): Promise<void> {
  if ((await findIdRoot(db)) !== null) return;
  const root = firstIdRoot(keys, await sampleAll(db), await snapshot.sealedEarlier());
  if (root !== null) await insertIdRoot(db, sealIdRoot(new SecretBox(keys[0]), root));
}

/** The newest webhook secrets first: those of a key that was lost long ago may still be there. */
async function sampleAll(db: Queryable): Promise<SealedSecret[]> {
  const samples = await sampleWebhookSecrets(db, secretsSampled);
  for (const column of sealedColumns)
    for (const { key, sealed } of await sampleSealed(db, column, secretsSampled))
      samples.push({ owner: column.ownerOf(key), sealed });
  return samples;
}

export async function findIdRoot(db: Queryable): Promise<Buffer | null> {
  const row = await firstRow(db, sql<{ readonly sealed: Buffer }>`select sealed from id_root`);
  return row?.sealed ?? null;
}

/** The first one stays: instances that start together must all make the same ids. */
async function insertIdRoot(db: Queryable, sealed: Buffer): Promise<void> {
  await run(db, sql`insert into id_root (sealed) values (${sealed}) on conflict do nothing`);
}

/** Only if it is still the one that was looked at. */
export async function replaceIdRoot(db: Queryable, before: Buffer, sealed: Buffer): Promise<void> {
  await run(db, sql`update id_root set sealed = ${sealed} where sealed = ${before}`);
}
