import { sql } from 'kysely';
import type pg from 'pg';
import type { Role } from '../../domain/role.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, rowsOf, run } from '../sql.ts';

/** Who created an invitation: a person, or null when it was created with the operator key. */
type Maker = { readonly id: string; readonly name: string; readonly email: string } | null;

export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null until the email with the current link is sent. */
  readonly mailedAt: Date | null;
  readonly maker: Maker;
}

export type NewInvitation = Omit<InvitationRecord, 'mailedAt' | 'maker'>;

export interface OpenInvitation extends InvitationRecord {
  readonly workspaceId: string;
  readonly workspaceName: string;
}

/** The secret of a link, who created it, and how long it is valid. */
export interface Link {
  readonly tokenHash: Buffer;
  /** Null for the operator key. */
  readonly madeBy: string | null;
  readonly expiresAt: Date;
}

const columns = sql`i.id, i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.mailed_at as "mailedAt", case when i.made_by is null then null
    else json_build_object('id', maker.id, 'name', maker.name, 'email', maker.email) end as maker`;
const withMaker = sql`left join people maker on maker.id = i.made_by`;

/** A link is valid only while its creator is an owner. */
const isMakerStillOwner = sql`exists (select from memberships m
  where m.workspace_id = i.workspace_id and m.person_id = i.made_by and m.role = 'owner')`;

/** Replaces an earlier invitation for the same email address, whose link stops working. Deletes invitations that expired long ago. */
export async function putInvitation(
  db: Queryable,
  workspaceId: string,
  { id, email, role, createdAt }: NewInvitation,
  { tokenHash, madeBy, expiresAt }: Link,
): Promise<void> {
  await run(
    db,
    sql`delete from invitations where workspace_id = ${workspaceId} and expires_at <= ${createdAt}::timestamptz - interval '30 days'`,
  );
  await run(
    db,
    sql`insert into invitations
        (workspace_id, id, email, role, created_at, expires_at, token_hash, made_by, made_with_key)
      values (${workspaceId}, ${id}, ${email}, ${role}, ${createdAt}, ${expiresAt}, ${tokenHash}, ${madeBy},
        ${madeBy === null})
      on conflict (workspace_id, email) do update set id = excluded.id, role = excluded.role,
        created_at = excluded.created_at, expires_at = excluded.expires_at, token_hash = excluded.token_hash,
        made_by = excluded.made_by, made_with_key = excluded.made_with_key, mailed_at = null`,
  );
}

/** Creates a new link for an invitation; the old one stops working. False when there is no such invitation. */
export async function renewInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
  { tokenHash, madeBy, expiresAt }: Link,
): Promise<boolean> {
  const renewed = await changedBy(
    db,
    sql`update invitations set token_hash = ${tokenHash}, made_by = ${madeBy}, made_with_key = ${madeBy === null},
        expires_at = ${expiresAt}, mailed_at = null
      where workspace_id = ${workspaceId} and id = ${invitationId}`,
  );
  return renewed === 1;
}

export async function readInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
): Promise<InvitationRecord | null> {
  return firstRow(
    db,
    sql<InvitationRecord>`select ${columns} from invitations i ${withMaker}
      where i.workspace_id = ${workspaceId} and i.id = ${invitationId}`,
  );
}

export async function markMailed(db: Queryable, tokenHash: Buffer, at: Date): Promise<void> {
  await run(db, sql`update invitations set mailed_at = ${at} where token_hash = ${tokenHash}`);
}

/** Invitations that anyone can still use or send again: by owners of today, and expired after `since`. */
export async function listInvitations(
  db: Queryable,
  workspaceId: string,
  since: Date,
  { after, limit }: PageRequest,
): Promise<InvitationRecord[]> {
  return rowsOf(
    db,
    sql<InvitationRecord>`select ${columns} from invitations i ${withMaker}
      where i.workspace_id = ${workspaceId} and ${comesAfter(after, 'i.created_at', 'i.id')}
        and i.expires_at > ${since} and (i.made_with_key or ${isMakerStillOwner})
      order by i.created_at desc, i.id desc limit ${limit}`,
  );
}

export async function deleteInvitation(
  db: Queryable,
  workspaceId: string,
  invitationId: string,
): Promise<boolean> {
  const deleted = await changedBy(
    db,
    sql`delete from invitations where workspace_id = ${workspaceId} and id = ${invitationId}`,
  );
  return deleted === 1;
}

/** For someone who is no longer an owner. Their links are invalid now, and must stay so if they become an owner again. */
export async function deleteInvitationsMadeBy(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  await run(
    client,
    sql`delete from invitations where workspace_id = ${workspaceId} and made_by = ${personId}`,
  );
}

export async function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenInvitation | null> {
  return firstRow(
    db,
    sql<OpenInvitation>`select ${columns}, w.id as "workspaceId", w.name as "workspaceName"
      from invitations i join workspaces w on w.id = i.workspace_id ${withMaker}
      where i.token_hash = ${tokenHash} and i.expires_at > ${now} and (i.made_with_key or ${isMakerStillOwner})`,
  );
}

/**
 * True for only one of several callers with the same link. Locks the creator's membership: a change of their role waits for
 * this transaction, and if the change came first, the link is invalid.
 */
export async function takeInvitation(client: pg.PoolClient, tokenHash: Buffer, now: Date): Promise<boolean> {
  const taken = await changedBy(
    client,
    sql`with maker as materialized (
        select m.workspace_id, m.person_id
        from invitations i join memberships m on m.workspace_id = i.workspace_id and m.person_id = i.made_by
        where i.token_hash = ${tokenHash} and m.role = 'owner' for share of m)
      delete from invitations i
      where i.token_hash = ${tokenHash} and i.expires_at > ${now} and (i.made_with_key or exists (
        select from maker where maker.workspace_id = i.workspace_id and maker.person_id = i.made_by))`,
  );
  return taken === 1;
}
