import { sql } from 'kysely';
import { firstIdRoot, type Keys, type SealedSecret, sealIdRoot } from '../../domain/secrets/id-root.ts';
import { SecretBox } from '../../domain/secrets/secret-box.ts';
import { sampleWebhookSecrets } from '../forms/webhook-secrets.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';
import { sampleSealed, sealedColumns } from './sealed-values.ts';

const secretsSampled = 100;

/** The directory snapshot that an earlier version left on this machine. */
export interface EarlierSnapshot {
  sealedEarlier(): Promise<SealedSecret | null>;
}

/**
 * Stores the id root if there is none yet. This must happen before anything is encrypted with a new key, because after that
 * nothing reveals the key of the earlier version. Stores none when our keys cannot decrypt the values in the database.
 */
export async function storeFirstIdRoot(db: Queryable, keys: Keys, snapshot: EarlierSnapshot): Promise<void> {
  if ((await findIdRoot(db)) !== null) return;
  const root = firstIdRoot(keys, await sampleAll(db), await snapshot.sealedEarlier());
  if (root !== null) await insertIdRoot(db, sealIdRoot(new SecretBox(keys[0]), root));
}

/** The newest webhook secrets first, because old ones may be encrypted with a key that was lost long ago. */
async function sampleAll(db: Queryable): Promise<SealedSecret[]> {
  const samples: SealedSecret[] = await sampleWebhookSecrets(db, secretsSampled);
  for (const column of sealedColumns)
    for (const { key, sealed } of await sampleSealed(db, column, secretsSampled))
      samples.push({ owner: column.ownerOf(key, sealed), sealed });
  return samples;
}

export async function findIdRoot(db: Queryable): Promise<Buffer | null> {
  const row = await firstRow(db, sql<{ readonly sealed: Buffer }>`select sealed from id_root`);
  return row?.sealed ?? null;
}

/** Keeps an existing root, so that instances that start at the same time create the same ids. */
async function insertIdRoot(db: Queryable, sealed: Buffer): Promise<void> {
  await run(db, sql`insert into id_root (sealed) values (${sealed}) on conflict do nothing`);
}

/** Only if the root is still `before`. */
export async function replaceIdRoot(db: Queryable, before: Buffer, sealed: Buffer): Promise<void> {
  await run(db, sql`update id_root set sealed = ${sealed} where sealed = ${before}`);
}
