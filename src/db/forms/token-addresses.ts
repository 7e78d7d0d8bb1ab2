import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { changedBy, rowsOf, run } from '../sql.ts';

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

/**
 * Keeps the newest addresses of each token. The caller has updated the tokens in the same transaction, so that nobody else
 * writes their addresses now. One statement cannot update a row twice, and a token may come twice.
 */
export async function addTokenAddresses(db: Queryable, uses: readonly TokenUse[]): Promise<void> {
  const rows = uses.flatMap(({ tokenId, addresses }) => addresses.map((use) => ({ tokenId, ...use })));
  if (rows.length === 0) return;
  const changed = await changedBy(
    db,
    sql`
      insert into token_addresses as a (token_id, address, last_at)
      select r."tokenId", r.address, max(r."lastAt")
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("tokenId" uuid, address text, "lastAt" timestamptz)
        join tokens t on t.id = r."tokenId"
      group by 1, 2 order by 1, 2
      on conflict (token_id, address) do update set last_at = excluded.last_at
      where excluded.last_at >= a.last_at + make_interval(secs => ${addressWrittenEveryMs / 1000})`,
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
