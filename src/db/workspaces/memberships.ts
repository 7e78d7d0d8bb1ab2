import { sql } from 'kysely';
import type pg from 'pg';
import type { Role } from '../../domain/role.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import type { WorkspaceRecord } from './workspaces.ts';

export interface MemberRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: Date;
}

/**
 * Counts of members taken under this lock stay correct until the transaction ends, so that two owners cannot both leave as
 * the last one, and two newcomers cannot both take the last place of the quota. Rows that only refer to the workspace can
 * still be inserted.
 */
export async function lockWorkspace(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`select from workspaces where id = ${workspaceId} for no key update`);
}

export async function findRole(db: Queryable, workspaceId: string, personId: string): Promise<Role | null> {
  const membership = await firstRow(
    db,
    sql<{ role: Role }>`select role from memberships
      where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
  return membership?.role ?? null;
}

/** An existing member keeps the higher of both roles. */
export async function addMember(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
  role: Role,
  createdAt: Date,
): Promise<Role> {
  const membership = await onlyRow(
    client,
    sql<{ role: Role }>`insert into memberships as m (workspace_id, person_id, role, created_at)
      values (${workspaceId}, ${personId}, ${role}, ${createdAt})
      on conflict (workspace_id, person_id) do update
        set role = case when m.role = 'owner' then m.role else excluded.role end
      returning role`,
  );
  return membership.role;
}

const memberColumns = sql`p.id, p.name, p.email, m.role, m.created_at as "joinedAt"`;

export async function findMember(
  db: Queryable,
  workspaceId: string,
  personId: string,
): Promise<MemberRecord | null> {
  return firstRow(
    db,
    sql<MemberRecord>`select ${memberColumns} from memberships m join people p on p.id = m.person_id
      where m.workspace_id = ${workspaceId} and m.person_id = ${personId}`,
  );
}

export async function isMember(db: Queryable, workspaceId: string, email: string): Promise<boolean> {
  const membership = await firstRow(
    db,
    sql`select from memberships m join people p on p.id = m.person_id
      where m.workspace_id = ${workspaceId} and p.email = ${email}`,
  );
  return membership !== null;
}

/** Members plus people with a valid invitation, except this email address. */
export async function countPeople(
  client: pg.PoolClient,
  workspaceId: string,
  now: Date,
  emailExcepted: string,
): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select (select count(*) from memberships where workspace_id = ${workspaceId})
      + (select count(*) from invitations i
         where i.workspace_id = ${workspaceId} and i.expires_at > ${now} and i.email <> ${emailExcepted}
           and (i.made_with_key or exists (
             select from memberships m
             where m.workspace_id = i.workspace_id and m.person_id = i.made_by and m.role = 'owner'))) as count`,
  );
  return count;
}

export async function countMembers(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from memberships where workspace_id = ${workspaceId}`,
  );
  return count;
}

/** True when the person belongs to this workspace only and is not an operator. */
export async function belongsOnlyTo(db: Queryable, workspaceId: string, personId: string): Promise<boolean> {
  const person = await firstRow(
    db,
    sql`select from people p
      where p.id = ${personId} and not p.operator
        and (select array_agg(m.workspace_id) from memberships m where m.person_id = p.id)
          = array[${workspaceId}::uuid]`,
  );
  return person !== null;
}

export async function listMembers(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<MemberRecord[]> {
  return rowsOf(
    db,
    sql<MemberRecord>`select ${memberColumns} from memberships m join people p on p.id = m.person_id
      where m.workspace_id = ${workspaceId} and ${comesAfter(after, 'm.created_at', 'p.id')}
      order by m.created_at desc, p.id desc limit ${limit}`,
  );
}

export async function countOtherOwners(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from memberships
      where workspace_id = ${workspaceId} and person_id <> ${personId} and role = 'owner'`,
  );
  return count;
}

export async function setRole(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await run(
    client,
    sql`update memberships set role = ${role} where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
}

export async function removeMember(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  await run(
    client,
    sql`delete from memberships where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
}

export type OwnWorkspace = Pick<WorkspaceRecord, 'id' | 'name' | 'status'> & { readonly role: Role };

export async function listWorkspacesOf(db: Queryable, personId: string): Promise<OwnWorkspace[]> {
  return rowsOf(
    db,
    sql<OwnWorkspace>`select w.id, w.name, w.status, m.role
      from memberships m join workspaces w on w.id = m.workspace_id
      where m.person_id = ${personId} order by w.name, w.id`,
  );
}
