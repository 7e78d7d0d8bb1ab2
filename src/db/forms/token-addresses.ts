import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { plainList, rowsOf, run, runPrepared } from '../sql.ts';

/** More would be written for nothing: they only help to recognise who uses a token. */
export const addressesPerTokenMax = 8;
/** An address that is used all the time is written once in this time. */
export const addressWrittenEveryMs = 60_000;

export interface TokenUse {
  readonly tokenId: string;
  readonly lastUsedAt: string;
  /** Where it was used from. */
  readonly addresses: readonly AddressUse[];
}

interface AddressUse {
  readonly address: string;
  readonly lastAt: string;
}

/** Without a new revision: other instances do not need to know. */
export async function touchTokens(db: Queryable, uses: readonly TokenUse[]): Promise<void> {
  await runPrepared(
    db,
    `update tokens t set last_used_at = greatest(t.last_used_at, u.last_used_at)
      from (select * from unnest($1::uuid[], $2::timestamptz[]) as r (token_id, last_used_at) order by 1) u
      where t.id = u.token_id`,
    [plainList(uses.map(({ tokenId }) => tokenId)), plainList(uses.map(({ lastUsedAt }) => lastUsedAt))],
  );
}

/**
 * Keeps the newest addresses of each token. The caller has updated the tokens in the same transaction, so that nobody else
 * writes their addresses now. One statement cannot update a row twice, and a token may come twice.
 */
export async function addTokenAddresses(db: Queryable, uses: readonly TokenUse[]): Promise<void> {
  const rows = uses.flatMap(({ tokenId, addresses }) => addresses.map((use) => ({ tokenId, ...use })));
  if (rows.length === 0) return;
  const changed = await runPrepared(
    db,
    // Most are known and recent: a conflict would lock their rows, and write that.
    `insert into token_addresses as a (token_id, address, last_at)
      select given.token_id, given.address, max(given.last_at)
      from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as given (token_id, address, last_at)
        join tokens t on t.id = given.token_id
      where not exists (select from token_addresses a
        where a.token_id = given.token_id and a.address = given.address
          and given.last_at < a.last_at + make_interval(secs => $4))
      group by 1, 2 order by 1, 2
      on conflict (token_id, address) do update set last_at = excluded.last_at
      where excluded.last_at >= a.last_at + make_interval(secs => $4)`,
    [
      plainList(rows.map(({ tokenId }) => tokenId)),
      rows.map(({ address }) => address),
      plainList(rows.map(({ lastAt }) => lastAt)),
      addressWrittenEveryMs / 1000,
    ],
  );
  if (changed === 0) return;
  const tokenIds = [...new Set(rows.map(({ tokenId }) => tokenId))];
  await run(
    db,
    sql`
      delete from token_addresses a using (
        select token_id, address, row_number() over (partition by token_id order by last_at desc, address) as place
        from token_addresses where token_id = any (${tokenIds}::uuid[])
      ) ranked
      where a.token_id = ranked.token_id and a.address = ranked.address and ranked.place > ${addressesPerTokenMax}`,
  );
}

export interface TokenAddress {
  readonly address: string;
  readonly lastAt: Date;
}

/** The newest first. */
export async function listTokenAddresses(db: Queryable, tokenId: string): Promise<TokenAddress[]> {
  return rowsOf(
    db,
    sql<TokenAddress>`select address, last_at as "lastAt" from token_addresses
      where token_id = ${tokenId} order by last_at desc, address`,
  );
}

export async function deleteOldTokenAddresses(db: Queryable, before: Date): Promise<void> {
  await run(db, sql`delete from token_addresses where last_at < ${before}`);
}
