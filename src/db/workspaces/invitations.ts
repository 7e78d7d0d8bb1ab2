import type pg from 'pg';
import type { Role } from '../../domain/role.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';

/** Who made an invitation: a person, or null when it was made with the operator key. */
export type Maker = { readonly id: string; readonly name: string; readonly email: string } | null;

export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null until the email with the present link was sent. */
  readonly mailedAt: Date | null;
  readonly maker: Maker;
}

export type NewInvitation = Omit<InvitationRecord, 'mailedAt' | 'maker'>;

export interface OpenInvitation extends InvitationRecord {
  readonly workspaceId: string;
  readonly workspaceName: string;
}

/** The secret of a link, who makes it, and how long it works. */
export interface Link {
  readonly tokenHash: Buffer;
  /** Null for the operator key. */
  readonly madeBy: string | null;
  readonly expiresAt: Date;
}

const columns = `i.id, i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.mailed_at as "mailedAt", case when i.made_by is null then null
    else json_build_object('id', maker.id, 'name', maker.name, 'email', maker.email) end as maker`;
const withMaker = 'left join people maker on maker.id = i.made_by';

/** Whoever made the link may still make one. */
const isMakerStillOwner = `exists (select from memberships m
  where m.workspace_id = i.workspace_id and m.person_id = i.made_by and m.role = 'owner')`;

/** Takes the place of an earlier invitation of the same address, whose link stops working. Expired ones go with it. */
export async function putInvitation(
  db: Queryable,
  workspaceId: string,
  { id, email, role, createdAt }: NewInvitation,
  { tokenHash, madeBy, expiresAt }: Link,
): Promise<void> {
  await db.query('delete from invitations where workspace_id = $1 and expires_at <= $2', [
    workspaceId,
    createdAt,
  ]);
  await db.query(
    `insert into invitations
       (workspace_id, id, email, role, created_at, expires_at, token_hash, made_by, made_with_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8::uuid, $8::uuid is null)
     on conflict (workspace_id, email) do update set id = excluded.id, role = excluded.role,
       created_at = excluded.created_at, expires_at = excluded.expires_at, token_hash = excluded.token_hash,
       made_by = excluded.made_by, made_with_key = excluded.made_with_key, mailed_at = null`,
    [workspaceId, id, email, role, createdAt, expiresAt, tokenHash, madeBy],
  );
}

/** A new link for an invitation; the one before stops working. False when there is no such invitation. */
export async function renewInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
  { tokenHash, madeBy, expiresAt }: Link,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update invitations set token_hash = $3, made_by = $4::uuid, made_with_key = $4::uuid is null, expires_at = $5,
       mailed_at = null
     where workspace_id = $1 and id = $2`,
    [workspaceId, invitationId, tokenHash, madeBy, expiresAt],
  );
  return rowCount === 1;
}

export async function readInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
): Promise<InvitationRecord | null> {
  const { rows } = await db.query(
    `select ${columns} from invitations i ${withMaker} where i.workspace_id = $1 and i.id = $2`,
    [workspaceId, invitationId],
  );
  return rows[0] ?? null;
}

export async function markMailed(db: Queryable, tokenHash: Buffer, at: Date): Promise<void> {
  await db.query('update invitations set mailed_at = $2 where token_hash = $1', [tokenHash, at]);
}

/** Those whose links work. */
export async function listInvitations(
  db: Queryable,
  workspaceId: string,
  now: Date,
  { after, limit }: PageRequest,
): Promise<InvitationRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from invitations i ${withMaker}
     where i.workspace_id = $1 and ($2::timestamptz is null or (i.created_at, i.id) < ($2, $3::uuid))
       and i.expires_at > $5 and (i.made_with_key or ${isMakerStillOwner})
     order by i.created_at desc, i.id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit, now],
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

/** For somebody who is no longer an owner. Their links would not work anyway, nor should they when they are one again. */
export async function deleteInvitationsMadeBy(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  await client.query('delete from invitations where workspace_id = $1 and made_by = $2', [
    workspaceId,
    personId,
  ]);
}

export async function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenInvitation | null> {
  const { rows } = await db.query(
    `select ${columns}, w.id as "workspaceId", w.name as "workspaceName"
     from invitations i join workspaces w on w.id = i.workspace_id ${withMaker}
     where i.token_hash = $1 and i.expires_at > $2 and (i.made_with_key or ${isMakerStillOwner})`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/**
 * Of those who come with the same link at the same time, one gets true. Whoever takes the maker's rights away meanwhile
 * waits until this transaction has ended; whoever was first has made the link void.
 */
export async function takeInvitation(client: pg.PoolClient, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `with maker as materialized (
       select m.workspace_id, m.person_id
       from invitations i join memberships m on m.workspace_id = i.workspace_id and m.person_id = i.made_by
       where i.token_hash = $1 and m.role = 'owner' for share of m)
     delete from invitations i
     where i.token_hash = $1 and i.expires_at > $2 and (i.made_with_key or exists (
       select from maker where maker.workspace_id = i.workspace_id and maker.person_id = i.made_by))`,
    [tokenHash, now],
  );
  return rowCount === 1;
}
