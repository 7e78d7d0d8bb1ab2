import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { changedBy, firstRow, run } from '../sql.ts';

export interface CacheKey {
  readonly provider: string;
  readonly version: number;
  readonly scope: string;
  readonly key: string;
}

/** The scope of public lookups. */
export const publicScope = '00000000-0000-0000-0000-000000000000';

function isRow({ provider, version, scope, key }: CacheKey): RawBuilder<unknown> {
  return sql`provider = ${provider} and version = ${version} and scope = ${scope} and key = ${key}`;
}

/** Claims a question that has no fresh answer and is not claimed by another worker. False otherwise. */
export async function claimQuestion(pool: pg.Pool, key: CacheKey, now: Date, until: Date): Promise<boolean> {
  const { provider, version, scope, key: question } = key;
  const claimed = await changedBy(
    pool,
    sql`
      insert into enrichment_cache as c (provider, version, scope, key, expires_at, claimed_until)
      values (${provider}, ${version}, ${scope}, ${question}, ${now}, ${until})
      on conflict (provider, version, scope, key) do update set outcome = null, claimed_until = excluded.claimed_until
      where (c.outcome is null or c.expires_at <= ${now}) and c.claimed_until <= ${now}`,
  );
  return claimed === 1;
}

/** Null while the question is being asked, or when it was never asked. */
export async function readAnswer(pool: pg.Pool, key: CacheKey, now: Date): Promise<unknown> {
  const row = await firstRow(
    pool,
    sql<{ readonly outcome: unknown }>`
      select outcome from enrichment_cache
      where ${isRow(key)} and outcome is not null and expires_at > ${now}`,
  );
  return row?.outcome ?? null;
}

/** Stores an answer and releases the claim. */
export async function storeAnswer(
  pool: pg.Pool,
  key: CacheKey,
  outcome: object,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await run(
    pool,
    sql`
      update enrichment_cache
      set outcome = ${JSON.stringify(outcome)}, expires_at = ${expiresAt}, claimed_until = ${now}
      where ${isRow(key)}`,
  );
}

export async function releaseQuestion(pool: pg.Pool, key: CacheKey): Promise<void> {
  await run(pool, sql`delete from enrichment_cache where ${isRow(key)} and outcome is null`);
}

/** Deletes the answers of an owner's provider, after its settings changed or it was removed. */
export async function deleteAnswersOf(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`delete from enrichment_cache where provider = 'external' and scope = ${workspaceId}`);
}

export async function deleteExpiredAnswers(pool: pg.Pool, before: Date, rowsMax: number): Promise<number> {
  return changedBy(
    pool,
    sql`
      delete from enrichment_cache where ctid = any (array(
        select ctid from enrichment_cache where expires_at < ${before} and claimed_until < ${before}
        limit ${rowsMax} for update skip locked))`,
  );
}
