import type pg from 'pg';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';

/** A slug that a form of this workspace had, and that nobody else can take. */
export interface FormerSlugRecord {
  readonly id: string;
  readonly slug: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly formId: string;
  readonly freedAt: Date;
}

const columns = `s.id, s.slug, s.workspace_id as "workspaceId", w.name as "workspaceName", s.form_id as "formId",
  s.freed_at as "freedAt"`;

export async function listFormerSlugs(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<FormerSlugRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from former_slugs s join workspaces w on w.id = s.workspace_id
     where s.workspace_id = $1 and ($2::timestamptz is null or (s.freed_at, s.id) < ($2, $3::uuid))
     order by s.freed_at desc, s.id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit],
  );
  return rows;
}

/** Of every workspace that had the slug and did not take it again. */
export async function findFormerSlugs(db: Queryable, slug: string): Promise<FormerSlugRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from former_slugs s join workspaces w on w.id = s.workspace_id
     where s.slug = $1 order by s.freed_at desc, s.id desc`,
    [slug],
  );
  return rows;
}

export async function insertFormerSlug(
  client: pg.PoolClient,
  workspaceId: string,
  { slug, formId, freedAt }: Pick<FormerSlugRecord, 'slug' | 'formId' | 'freedAt'>,
): Promise<void> {
  await client.query(
    `insert into former_slugs (workspace_id, slug, form_id, freed_at) values ($1, $2, $3, $4)
     on conflict (slug, workspace_id) do update set form_id = excluded.form_id, freed_at = excluded.freed_at`,
    [workspaceId, slug, formId, freedAt],
  );
}

/** Null when it is no former slug of this workspace. */
export async function deleteFormerSlug(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
): Promise<FormerSlugRecord | null> {
  const { rows } = await client.query(
    `delete from former_slugs s using workspaces w
     where s.workspace_id = $1 and s.slug = $2 and w.id = s.workspace_id returning ${columns}`,
    [workspaceId, slug],
  );
  return rows[0] ?? null;
}

export async function countFormerSlugs(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query('select count(*) as count from former_slugs where workspace_id = $1', [
    workspaceId,
  ]);
  return rows[0].count;
}
