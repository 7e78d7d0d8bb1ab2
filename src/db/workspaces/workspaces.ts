import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { allOf, firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Date;
  /** Null while the workspace is active. */
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  /** An email address, or `operator`. Null while it is active, or if nobody knows. */
  readonly suspendedBy: string | null;
  /** For how many days rejected requests are kept; 0 for not at all. */
  readonly heldDays: number;
}

export interface NewWorkspace extends Pick<WorkspaceRecord, 'id' | 'name' | 'createdAt'> {
  /** Null when it was not done by a person. */
  readonly createdBy: string | null;
}

const columns = sql`w.id, w.name, w.status, w.created_at as "createdAt", w.suspended_at as "suspendedAt",
  w.suspended_reason as "suspendedReason", w.suspended_by as "suspendedBy", w.held_days as "heldDays"`;

export async function insertWorkspace(
  client: pg.PoolClient,
  { id, name, createdAt, createdBy }: NewWorkspace,
  revision: number,
): Promise<WorkspaceRecord> {
  return onlyRow(
    client,
    sql<WorkspaceRecord>`insert into workspaces as w (id, name, created_at, created_by, revision)
      values (${id}, ${name}, ${createdAt}, ${createdBy}, ${revision})
      returning ${columns}`,
  );
}

/** Counts the workspaces that a person created or owns. They can create no other one until the transaction ends. */
export async function countWorkspacesBy(client: pg.PoolClient, personId: string): Promise<number> {
  await run(client, sql`select from people where id = ${personId} for no key update`);
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from (
        select id from workspaces where created_by = ${personId}
        union select workspace_id from memberships where person_id = ${personId} and role = 'owner') counted`,
  );
  return count;
}

export async function findWorkspace(db: Queryable, workspaceId: string): Promise<WorkspaceRecord | null> {
  return firstRow(db, sql<WorkspaceRecord>`select ${columns} from workspaces w where w.id = ${workspaceId}`);
}

export interface WorkspaceFilter {
  /** The workspaces of this person, or all when it is null. */
  readonly personId: string | null;
  /** Part of a name, or a whole id. */
  readonly text?: string | undefined;
  readonly status?: WorkspaceRecord['status'] | undefined;
  /** The id of the only workspace to find. */
  readonly only?: string | undefined;
}

export async function listWorkspaces(
  db: Queryable,
  { personId, only, text, status }: WorkspaceFilter,
  { after, limit }: PageRequest,
): Promise<WorkspaceRecord[]> {
  const conditions = [comesAfter(after, 'w.created_at', 'w.id')];
  if (personId !== null)
    conditions.push(
      sql`exists (select from memberships m where m.workspace_id = w.id and m.person_id = ${personId})`,
    );
  if (only !== undefined) conditions.push(sql`w.id = ${only}`);
  if (text !== undefined) conditions.push(matches(text));
  if (status !== undefined) conditions.push(sql`w.status = ${status}`);
  return rowsOf(
    db,
    sql<WorkspaceRecord>`select ${columns} from workspaces w where ${allOf(conditions)}
      order by w.created_at desc, w.id desc limit ${limit}`,
  );
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Not LIKE, because people may type its wildcards. Names are not searched for an id, which has an index. */
function matches(text: string): RawBuilder<boolean> {
  if (uuid.test(text)) return sql`w.id = ${text}`;
  return sql`strpos(lower(w.name), lower(${text}::text)) > 0`;
}

/** A workspace of this name without members. */
export async function findOwnerless(client: pg.PoolClient, name: string): Promise<string | null> {
  const found = await firstRow(
    client,
    sql<{ id: string }>`select w.id from workspaces w
      where w.name = ${name} and not exists (select from memberships m where m.workspace_id = w.id)
      order by w.created_at limit 1 for no key update of w`,
  );
  return found?.id ?? null;
}

export interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly status?: WorkspaceRecord['status'] | undefined;
  readonly reason?: string | undefined;
  readonly heldDays?: number | undefined;
}

/** When and by whom something is changed. */
export interface ChangeOccasion {
  readonly at: Date;
  /** An email address, or `operator`. */
  readonly by: string;
}

/** Undefined values are not changed. A suspension keeps its time and who did it while it lasts, and its reason unless there is a new one. */
export async function updateWorkspace(
  client: pg.PoolClient,
  workspaceId: string,
  { name, status, reason, heldDays }: WorkspaceChange,
  { at, by }: ChangeOccasion,
  revision: number,
): Promise<WorkspaceRecord | null> {
  const statusAfter = sql`coalesce(${status}, status)`;
  return firstRow(
    client,
    sql<WorkspaceRecord>`
      update workspaces w set name = coalesce(${name}, name), status = ${statusAfter}, revision = ${revision},
        held_days = coalesce(${heldDays}, held_days),
        suspended_by = case ${statusAfter} when 'active' then null
          else case when suspended_at is null then ${by} else suspended_by end end,
        suspended_at = case ${statusAfter} when 'active' then null else coalesce(suspended_at, ${at}) end,
        suspended_reason = case ${statusAfter} when 'active' then null else coalesce(${reason}, suspended_reason) end
      where w.id = ${workspaceId} returning ${columns}`,
  );
}
