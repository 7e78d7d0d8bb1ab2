import { sql } from 'kysely';
import type pg from 'pg';
import type { TokenType } from '../../domain/token.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface TokenRecord {
  readonly id: string;
  readonly formId: string;
  readonly name: string;
  readonly type: TokenType;
  readonly hint: string;
  readonly createdAt: Date;
  /** Null if nobody knows. */
  readonly creatorKind: 'person' | 'api_key' | 'operator_key' | null;
  readonly creatorId: string | null;
  /** The present name of a person or an API key. */
  readonly creatorName: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** The successor after a rotation. */
  readonly replacedBy: string | null;
  /** The token that this one replaced. */
  readonly replaces: string | null;
}

/** The initial values of a new token. */
export const unusedToken = { revokedAt: null, lastUsedAt: null, replacedBy: null, replaces: null } as const;

const columns = sql`id, form_id as "formId", name, type, hint, created_at as "createdAt", expires_at as "expiresAt",
  creator_kind as "creatorKind", creator_id as "creatorId", case creator_kind
    when 'person' then (select p.name from people p where p.id = creator_id)
    when 'api_key' then (select k.name from api_keys k where k.id = creator_id) end as "creatorName",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
  (select former.id from tokens former where former.replaced_by = tokens.id) as replaces`;

export async function insertToken(
  client: pg.PoolClient,
  workspaceId: string,
  { id, formId, name, type, hint, createdAt, creatorKind, creatorId, expiresAt }: TokenRecord,
  hash: Buffer,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`insert into tokens
        (workspace_id, id, form_id, name, type, hash, hint, created_at, creator_kind, creator_id, expires_at, revision)
      values (${workspaceId}, ${id}, ${formId}, ${name}, ${type}, ${hash}, ${hint}, ${createdAt}, ${creatorKind},
        ${creatorId}, ${expiresAt}, ${revision})`,
  );
}

/** Counts valid tokens, plus all tokens created after `madeAfter`, valid or not. */
export async function countTokens(
  client: pg.PoolClient,
  workspaceId: string,
  now: Date,
  madeAfter: Date,
): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from tokens
      where workspace_id = ${workspaceId}
        and (created_at > ${madeAfter} or revoked_at is null and (expires_at is null or expires_at > ${now}))`,
  );
  return count;
}

export async function findToken(
  db: Queryable,
  workspaceId: string,
  tokenId: string,
): Promise<TokenRecord | null> {
  return firstRow(
    db,
    sql<TokenRecord>`select ${columns} from tokens where workspace_id = ${workspaceId} and id = ${tokenId}`,
  );
}

interface TokenPlace {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string;
}

export async function findTokenByHash(db: Queryable, hash: Buffer): Promise<TokenPlace | null> {
  return firstRow(
    db,
    sql<TokenPlace>`select workspace_id as "workspaceId", id as "tokenId", form_id as "formId" from tokens where hash = ${hash}`,
  );
}

/** Locks the token until the end of the transaction. */
export async function findTokenForUpdate(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
): Promise<TokenRecord | null> {
  return firstRow(
    client,
    sql<TokenRecord>`select ${columns} from tokens
      where workspace_id = ${workspaceId} and id = ${tokenId} for update`,
  );
}

export async function listTokens(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<TokenRecord[]> {
  return rowsOf(
    db,
    sql<TokenRecord>`select ${columns} from tokens
      where workspace_id = ${workspaceId} and ${comesAfter(after, 'created_at', 'id')}
      order by created_at desc, id desc limit ${limit}`,
  );
}

export async function markTokenRevoked(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
  revokedAt: Date,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update tokens set revoked_at = ${revokedAt}, revision = ${revision}
      where workspace_id = ${workspaceId} and id = ${tokenId}`,
  );
}

/** Sets the successor and the time at which the token ends. */
export async function markTokenReplaced(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
  { replacedBy, expiresAt, revokedAt }: Pick<TokenRecord, 'replacedBy' | 'expiresAt' | 'revokedAt'>,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update tokens set replaced_by = ${replacedBy}, expires_at = ${expiresAt}, revoked_at = ${revokedAt},
        revision = ${revision}
      where workspace_id = ${workspaceId} and id = ${tokenId}`,
  );
}
