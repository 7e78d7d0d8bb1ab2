import type pg from 'pg';
import type { Role } from '../domain/role.ts';
import type { PageRequest } from './keyset.ts';
import type { Queryable } from './pool.ts';

export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface OpenInvitation extends InvitationRecord {
  readonly workspaceId: string;
  readonly workspaceName: string;
}

const columns = 'i.id, i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt"';

/** Takes the place of an earlier invitation of the same address, whose link stops working. */
export async function putInvitation(
  db: Queryable,
  workspaceId: string,
  { id, email, role, createdAt, expiresAt }: InvitationRecord,
  tokenHash: Buffer,
): Promise<void> {
  await db.query(
    `insert into invitations (workspace_id, id, email, role, created_at, expires_at, token_hash)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (workspace_id, email) do update set id = excluded.id, role = excluded.role,
       created_at = excluded.created_at, expires_at = excluded.expires_at, token_hash = excluded.token_hash`,
    [workspaceId, id, email, role, createdAt, expiresAt, tokenHash],
  );
}

export async function listInvitations(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<InvitationRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from invitations i
     where i.workspace_id = $1 and ($2::timestamptz is null or (i.created_at, i.id) < ($2, $3::uuid))
     order by i.created_at desc, i.id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit],
  );
  return rows;
}

export async function deleteInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
): Promise<boolean> {
  const { rowCount } = await db.query('delete from invitations where workspace_id = $1 and id = $2', [
    workspaceId,
    invitationId,
  ]);
  return rowCount === 1;
}

export async function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenInvitation | null> {
  const { rows } = await db.query(
    `select ${columns}, w.id as "workspaceId", w.name as "workspaceName"
     from invitations i join workspaces w on w.id = i.workspace_id
     where i.token_hash = $1 and i.expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** Of those who come with the same link at the same time, one gets true. */
export async function takeInvitation(client: pg.PoolClient, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from invitations where token_hash = $1 and expires_at > $2',
    [tokenHash, now],
  );
  return rowCount === 1;
}
