import type pg from 'pg';
import type { TokenType } from '../../domain/token.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';

export interface TokenRecord {
  readonly id: string;
  readonly formId: string;
  readonly name: string;
  readonly type: TokenType;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** The successor that a rotation made. */
  readonly replacedBy: string | null;
  /** What this token is the successor of. */
  readonly replaces: string | null;
}

/** What is true of a token that was just made. */
export const unusedToken = { revokedAt: null, lastUsedAt: null, replacedBy: null, replaces: null } as const;

const columns = `id, form_id as "formId", name, type, hint, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
  (select former.id from tokens former where former.replaced_by = tokens.id) as replaces`;

export async function insertToken(
  client: pg.PoolClient,
  workspaceId: string,
  token: TokenRecord,
  hash: Buffer,
  revision: number,
): Promise<void> {
  await client.query(
    `insert into tokens (workspace_id, id, form_id, name, type, hash, hint, created_at, expires_at, revision)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      workspaceId,
      token.id,
      token.formId,
      token.name,
      token.type,
      hash,
      token.hint,
      token.createdAt,
      token.expiresAt,
      revision,
    ],
  );
}

/** Those that are valid, and all that were made after `madeAfter`, whatever became of them. */
export async function countTokens(
  client: pg.PoolClient,
  workspaceId: string,
  now: Date,
  madeAfter: Date,
): Promise<number> {
  const { rows } = await client.query(
    `select count(*) as count from tokens
     where workspace_id = $1
       and (created_at > $3 or revoked_at is null and (expires_at is null or expires_at > $2))`,
    [workspaceId, now, madeAfter],
  );
  return rows[0].count;
}

/** Locks the token until the end of the transaction. */
export async function findTokenForUpdate(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
): Promise<TokenRecord | null> {
  const { rows } = await client.query(
    `select ${columns} from tokens where workspace_id = $1 and id = $2 for update`,
    [workspaceId, tokenId],
  );
  return rows[0] ?? null;
}

export async function listTokens(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<TokenRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from tokens
     where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
     order by created_at desc, id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit],
  );
  return rows;
}

export async function markTokenRevoked(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
  revokedAt: Date,
  revision: number,
): Promise<void> {
  await client.query('update tokens set revoked_at = $3, revision = $4 where workspace_id = $1 and id = $2', [
    workspaceId,
    tokenId,
    revokedAt,
    revision,
  ]);
}

/** Names the successor, and when the token ends. */
export async function markTokenReplaced(
  client: pg.PoolClient,
  workspaceId: string,
  tokenId: string,
  { replacedBy, expiresAt, revokedAt }: Pick<TokenRecord, 'replacedBy' | 'expiresAt' | 'revokedAt'>,
  revision: number,
): Promise<void> {
  await client.query(
    `update tokens set replaced_by = $3, expires_at = $4, revoked_at = $5, revision = $6
     where workspace_id = $1 and id = $2`,
    [workspaceId, tokenId, replacedBy, expiresAt, revokedAt, revision],
  );
}
