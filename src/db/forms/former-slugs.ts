import { sql } from 'kysely';
import type pg from 'pg';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

/** A slug that a form of this workspace used, and that no other workspace can take. */
export interface FormerSlugRecord {
  readonly id: string;
  readonly slug: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly formId: string;
  readonly freedAt: Date;
}

const columns = sql`s.id, s.slug, s.workspace_id as "workspaceId", w.name as "workspaceName", s.form_id as "formId",
  s.freed_at as "freedAt"`;

export async function listFormerSlugs(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<FormerSlugRecord[]> {
  return rowsOf(
    db,
    sql<FormerSlugRecord>`select ${columns} from former_slugs s join workspaces w on w.id = s.workspace_id
      where s.workspace_id = ${workspaceId} and ${comesAfter(after, 's.freed_at', 's.id')}
      order by s.freed_at desc, s.id desc limit ${limit}`,
  );
}

/** In every workspace that used the slug and has not taken it again. */
export async function findFormerSlugs(db: Queryable, slug: string): Promise<FormerSlugRecord[]> {
  return rowsOf(
    db,
    sql<FormerSlugRecord>`select ${columns} from former_slugs s join workspaces w on w.id = s.workspace_id
      where s.slug = ${slug} order by s.freed_at desc, s.id desc`,
  );
}

export async function insertFormerSlug(
  client: pg.PoolClient,
  workspaceId: string,
  { slug, formId, freedAt }: Pick<FormerSlugRecord, 'slug' | 'formId' | 'freedAt'>,
): Promise<void> {
  await run(
    client,
    sql`insert into former_slugs (workspace_id, slug, form_id, freed_at)
      values (${workspaceId}, ${slug}, ${formId}, ${freedAt})
      on conflict (slug, workspace_id) do update set form_id = excluded.form_id, freed_at = excluded.freed_at`,
  );
}

/** Null when the workspace has no such former slug. */
export async function deleteFormerSlug(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
): Promise<FormerSlugRecord | null> {
  return firstRow(
    client,
    sql<FormerSlugRecord>`delete from former_slugs s using workspaces w
      where s.workspace_id = ${workspaceId} and s.slug = ${slug} and w.id = s.workspace_id returning ${columns}`,
  );
}

export async function countFormerSlugs(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from former_slugs where workspace_id = ${workspaceId}`,
  );
  return count;
}
