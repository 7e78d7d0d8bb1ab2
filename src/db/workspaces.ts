import type pg from 'pg';
import type { PageRequest } from './keyset.ts';
import type { Queryable } from './pool.ts';

export interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Date;
}

const columns = 'id, name, status, created_at as "createdAt"';

export async function insertWorkspace(
  client: pg.PoolClient,
  workspace: WorkspaceRecord,
  revision: number,
): Promise<void> {
  await client.query(
    'insert into workspaces (id, name, status, created_at, revision) values ($1, $2, $3, $4, $5)',
    [workspace.id, workspace.name, workspace.status, workspace.createdAt, revision],
  );
}

export async function findWorkspace(db: Queryable, workspaceId: string): Promise<WorkspaceRecord | null> {
  const { rows } = await db.query(`select ${columns} from workspaces where id = $1`, [workspaceId]);
  return rows[0] ?? null;
}

export async function listWorkspaces(
  db: Queryable,
  { after, limit }: PageRequest,
): Promise<WorkspaceRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from workspaces
     where $1::timestamptz is null or (created_at, id) < ($1, $2::uuid)
     order by created_at desc, id desc limit $3`,
    [after?.at, after?.id, limit],
  );
  return rows;
}

/** What is undefined stays as it is. */
export async function updateWorkspace(
  client: pg.PoolClient,
  workspaceId: string,
  changes: { readonly name?: string | undefined; readonly status?: WorkspaceRecord['status'] | undefined },
  revision: number,
): Promise<WorkspaceRecord | null> {
  const { rows } = await client.query(
    `update workspaces set name = coalesce($2, name), status = coalesce($3, status), revision = $4
     where id = $1 returning ${columns}`,
    [workspaceId, changes.name, changes.status, revision],
  );
  return rows[0] ?? null;
}
