import { sql } from 'kysely';
import type pg from 'pg';
import type { Scope } from '../../domain/api-key/scope.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hint: string;
  /** Null if it was created with the operator key. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export interface ListedApiKey extends ApiKeyRecord {
  readonly creatorName: string | null;
  readonly isCreatorMember: boolean;
}

export interface FoundApiKey extends ApiKeyRecord {
  readonly workspaceId: string;
}

const columns = sql`k.id, k.name, k.scopes, k.hint, k.created_by as "createdBy", k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"`;

export async function insertApiKey(
  client: pg.PoolClient,
  workspaceId: string,
  { id, name, scopes, hint, createdBy, createdAt, expiresAt }: ApiKeyRecord,
  hash: Buffer,
): Promise<void> {
  await run(
    client,
    sql`insert into api_keys (id, workspace_id, name, hash, hint, scopes, created_by, created_at, expires_at)
      values (${id}, ${workspaceId}, ${name}, ${hash}, ${hint}, ${scopes}::text[], ${createdBy}, ${createdAt},
        ${expiresAt})`,
  );
}

/** Counts valid keys, plus all keys created after `madeAfter`, valid or not. */
export async function countApiKeys(
  client: pg.PoolClient,
  workspaceId: string,
  now: Date,
  madeAfter: Date,
): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from api_keys
      where workspace_id = ${workspaceId}
        and (created_at > ${madeAfter} or revoked_at is null and (expires_at is null or expires_at > ${now}))`,
  );
  return count;
}

/** The key with this hash, valid or not. */
export async function findApiKey(db: Queryable, hash: Buffer): Promise<FoundApiKey | null> {
  return firstRow(
    db,
    sql<FoundApiKey>`select ${columns}, k.workspace_id as "workspaceId" from api_keys k where k.hash = ${hash}`,
  );
}

/** Valid or not. */
export async function findApiKeyIn(
  db: Queryable,
  workspaceId: string,
  keyId: string,
): Promise<ApiKeyRecord | null> {
  return firstRow(
    db,
    sql<ApiKeyRecord>`select ${columns} from api_keys k where k.workspace_id = ${workspaceId} and k.id = ${keyId}`,
  );
}

/** Instances that notice the same use at the same time write it once. */
export async function markApiKeyUsed(
  db: Queryable,
  keyId: string,
  usedAt: Date,
  unlessAfter: Date,
): Promise<void> {
  await run(
    db,
    sql`update api_keys set last_used_at = ${usedAt}
      where id = ${keyId} and (last_used_at is null or last_used_at <= ${unlessAfter})`,
  );
}

export async function listApiKeys(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<ListedApiKey[]> {
  return rowsOf(
    db,
    sql<ListedApiKey>`select ${columns}, p.name as "creatorName", m.person_id is not null as "isCreatorMember"
      from api_keys k
        left join people p on p.id = k.created_by
        left join memberships m on m.workspace_id = k.workspace_id and m.person_id = k.created_by
      where k.workspace_id = ${workspaceId} and ${comesAfter(after, 'k.created_at', 'k.id')}
      order by k.created_at desc, k.id desc limit ${limit}`,
  );
}

/** False if the workspace has no such key. A key that was already revoked keeps its time. */
export async function markApiKeyRevoked(
  db: Queryable,
  workspaceId: string,
  keyId: string,
  revokedAt: Date,
): Promise<boolean> {
  const revoked = await firstRow(
    db,
    sql`update api_keys set revoked_at = coalesce(revoked_at, ${revokedAt})
      where workspace_id = ${workspaceId} and id = ${keyId} returning id`,
  );
  return revoked !== null;
}
