import type pg from 'pg';
import type { Role } from '../../domain/role.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import type { WorkspaceRecord } from './workspaces.ts';

export interface MemberRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
}

/**
 * Whatever is counted under this lock stays so until the transaction ends: of two owners who go at the same time one is
 * the last, and of two who come one is beyond the quota. It does not stand in the way of what only refers to the workspace.
 */
export async function lockWorkspace(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await client.query('select from workspaces where id = $1 for no key update', [workspaceId]);
}

export async function findRole(db: Queryable, workspaceId: string, personId: string): Promise<Role | null> {
  const { rows } = await db.query('select role from memberships where workspace_id = $1 and person_id = $2', [
    workspaceId,
    personId,
  ]);
  return rows[0]?.role ?? null;
}

/** Whoever is a member already keeps the higher of both roles. */
export async function addMember(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
  role: Role,
  createdAt: Date,
): Promise<Role> {
  const { rows } = await client.query(
    `insert into memberships as m (workspace_id, person_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, person_id) do update
       set role = case when m.role = 'owner' then m.role else excluded.role end
     returning role`,
    [workspaceId, personId, role, createdAt],
  );
  return rows[0].role;
}

const memberColumns = 'p.id, p.name, p.email, m.role, m.created_at as "joinedAt"';

export async function findMember(
  db: Queryable,
  workspaceId: string,
  personId: string,
): Promise<MemberRecord | null> {
  const { rows } = await db.query(
    `select ${memberColumns} from memberships m join people p on p.id = m.person_id
     where m.workspace_id = $1 and m.person_id = $2`,
    [workspaceId, personId],
  );
  return rows[0] ?? null;
}

export async function isMember(db: Queryable, workspaceId: string, email: string): Promise<boolean> {
  const { rows } = await db.query(
    `select from memberships m join people p on p.id = m.person_id
     where m.workspace_id = $1 and p.email = $2`,
    [workspaceId, email],
  );
  return rows.length > 0;
}

/** Members, and whoever has an invitation that works, except this address. */
export async function countPeople(
  client: pg.PoolClient,
  workspaceId: string,
  now: Date,
  emailExcepted: string,
): Promise<number> {
  const { rows } = await client.query(
    `select (select count(*) from memberships where workspace_id = $1)
       + (select count(*) from invitations i
          where i.workspace_id = $1 and i.expires_at > $2 and i.email <> $3 and (i.made_with_key or exists (
            select from memberships m
            where m.workspace_id = i.workspace_id and m.person_id = i.made_by and m.role = 'owner'))) as count`,
    [workspaceId, now, emailExcepted],
  );
  return rows[0].count;
}

export async function countMembers(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query('select count(*) as count from memberships where workspace_id = $1', [
    workspaceId,
  ]);
  return rows[0].count;
}

/** True when the account opens this workspace and nothing else: no other workspace, no rights of an operator. */
export async function belongsOnlyTo(db: Queryable, workspaceId: string, personId: string): Promise<boolean> {
  const { rows } = await db.query(
    `select from people p
     where p.id = $2 and not p.operator
       and (select array_agg(m.workspace_id) from memberships m where m.person_id = p.id) = array[$1::uuid]`,
    [workspaceId, personId],
  );
  return rows.length > 0;
}

export async function listMembers(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<MemberRecord[]> {
  const { rows } = await db.query(
    `select ${memberColumns} from memberships m join people p on p.id = m.person_id
     where m.workspace_id = $1 and ($2::timestamptz is null or (m.created_at, p.id) < ($2, $3::uuid))
     order by m.created_at desc, p.id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit],
  );
  return rows;
}

export async function countOtherOwners(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<number> {
  const { rows } = await client.query(
    `select count(*) from memberships where workspace_id = $1 and person_id <> $2 and role = 'owner'`,
    [workspaceId, personId],
  );
  return rows[0].count;
}

export async function setRole(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await client.query('update memberships set role = $3 where workspace_id = $1 and person_id = $2', [
    workspaceId,
    personId,
    role,
  ]);
}

export async function removeMember(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  await client.query('delete from memberships where workspace_id = $1 and person_id = $2', [
    workspaceId,
    personId,
  ]);
}

export type OwnWorkspace = Pick<WorkspaceRecord, 'id' | 'name' | 'status'> & { readonly role: Role };

export async function listWorkspacesOf(db: Queryable, personId: string): Promise<OwnWorkspace[]> {
  const { rows } = await db.query(
    `select w.id, w.name, w.status, m.role from memberships m join workspaces w on w.id = m.workspace_id
     where m.person_id = $1 order by w.name, w.id`,
    [personId],
  );
  return rows;
}
