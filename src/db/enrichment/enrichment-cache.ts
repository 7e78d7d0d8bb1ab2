import type pg from 'pg';

export interface CacheKey {
  readonly provider: string;
  readonly version: number;
  readonly scope: string;
  readonly key: string;
}

/** The scope of what anybody can look up. */
export const publicScope = '00000000-0000-0000-0000-000000000000';

const isRow = 'provider = $1 and version = $2 and scope = $3 and key = $4';

function columnsOf({ provider, version, scope, key }: CacheKey) {
  return [provider, version, scope, key];
}

/** Takes on a question that has no fresh answer and that nobody else is asking. False when there is no need to. */
export async function claimQuestion(pool: pg.Pool, key: CacheKey, now: Date, until: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into enrichment_cache as c (provider, version, scope, key, expires_at, claimed_until)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (provider, version, scope, key) do update set outcome = null, claimed_until = excluded.claimed_until
     where (c.outcome is null or c.expires_at <= $5) and c.claimed_until <= $5`,
    [...columnsOf(key), now, until],
  );
  return rowCount === 1;
}

/** Null while the question is being asked, or when nobody has asked it. */
export async function readAnswer(pool: pg.Pool, key: CacheKey, now: Date): Promise<unknown> {
  const { rows } = await pool.query(
    `select outcome from enrichment_cache where ${isRow} and outcome is not null and expires_at > $5`,
    [...columnsOf(key), now],
  );
  return rows[0]?.outcome ?? null;
}

/** Keeps an answer and gives up the claim. */
export async function storeAnswer(
  pool: pg.Pool,
  key: CacheKey,
  outcome: object,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await pool.query(
    `update enrichment_cache set outcome = $5, expires_at = $6, claimed_until = $7 where ${isRow}`,
    [...columnsOf(key), JSON.stringify(outcome), expiresAt, now],
  );
}

export async function releaseQuestion(pool: pg.Pool, key: CacheKey): Promise<void> {
  await pool.query(`delete from enrichment_cache where ${isRow} and outcome is null`, columnsOf(key));
}

/** What an owner's provider said under other settings, or before it was removed. */
export async function deleteAnswersOf(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await client.query(`delete from enrichment_cache where provider = 'external' and scope = $1`, [
    workspaceId,
  ]);
}

export async function deleteExpiredAnswers(pool: pg.Pool, before: Date, rowsMax: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from enrichment_cache where ctid = any (array(
       select ctid from enrichment_cache where expires_at < $1 and claimed_until < $1
       limit $2 for update skip locked))`,
    [before, rowsMax],
  );
  return rowCount ?? 0;
}
