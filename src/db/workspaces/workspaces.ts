import type pg from 'pg';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';

export interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Date;
  /** Null while the workspace is active. */
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
}

export interface NewWorkspace extends Pick<WorkspaceRecord, 'id' | 'name' | 'createdAt'> {
  /** Null when nobody in person did. */
  readonly createdBy: string | null;
}

const columns = `w.id, w.name, w.status, w.created_at as "createdAt", w.suspended_at as "suspendedAt",
  w.suspended_reason as "suspendedReason"`;

export async function insertWorkspace(
  client: pg.PoolClient,
  { id, name, createdAt, createdBy }: NewWorkspace,
  revision: number,
): Promise<WorkspaceRecord> {
  const { rows } = await client.query(
    `insert into workspaces as w (id, name, created_at, created_by, revision) values ($1, $2, $3, $4, $5)
     returning ${columns}`,
    [id, name, createdAt, createdBy, revision],
  );
  return rows[0];
}

/** Those that a person created or owns. The person creates no other one until the transaction ends. */
export async function countWorkspacesBy(client: pg.PoolClient, personId: string): Promise<number> {
  await client.query('select from people where id = $1 for no key update', [personId]);
  const { rows } = await client.query(
    `select count(*) as count from (
       select id from workspaces where created_by = $1
       union select workspace_id from memberships where person_id = $1 and role = 'owner') counted`,
    [personId],
  );
  return rows[0].count;
}

export async function findWorkspace(db: Queryable, workspaceId: string): Promise<WorkspaceRecord | null> {
  const { rows } = await db.query(`select ${columns} from workspaces w where w.id = $1`, [workspaceId]);
  return rows[0] ?? null;
}

/** Those of one person, or all when `personId` is null. */
export async function listWorkspaces(
  db: Queryable,
  personId: string | null,
  { after, limit }: PageRequest,
): Promise<WorkspaceRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from workspaces w
     where ($1::timestamptz is null or (w.created_at, w.id) < ($1, $2::uuid))
       and ($4::uuid is null or exists (
         select from memberships m where m.workspace_id = w.id and m.person_id = $4))
     order by w.created_at desc, w.id desc limit $3`,
    [after?.at, after?.id, limit, personId],
  );
  return rows;
}

/** A workspace of this name that belongs to nobody yet. */
export async function findOwnerless(client: pg.PoolClient, name: string): Promise<string | null> {
  const { rows } = await client.query(
    `select w.id from workspaces w
     where w.name = $1 and not exists (select from memberships m where m.workspace_id = w.id)
     order by w.created_at limit 1 for no key update of w`,
    [name],
  );
  return rows[0]?.id ?? null;
}

export interface WorkspaceChange {
  readonly name?: string | undefined;
  readonly status?: WorkspaceRecord['status'] | undefined;
  readonly reason?: string | undefined;
}

/** What is undefined stays as it is. Time and reason of a suspension are kept for as long as it lasts. */
export async function updateWorkspace(
  client: pg.PoolClient,
  workspaceId: string,
  { name, status, reason }: WorkspaceChange,
  at: Date,
  revision: number,
): Promise<WorkspaceRecord | null> {
  const { rows } = await client.query(
    `update workspaces w set name = coalesce($2, name), status = coalesce($3, status), revision = $4,
       suspended_at = case coalesce($3, status) when 'active' then null else coalesce(suspended_at, $5) end,
       suspended_reason = case coalesce($3, status) when 'active' then null else coalesce($6, suspended_reason) end
     where w.id = $1 returning ${columns}`,
    [workspaceId, name, status, revision, at, reason],
  );
  return rows[0] ?? null;
}
