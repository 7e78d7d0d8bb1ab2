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
  /** Until when it still leads to the form. */
  readonly aliasUntil: Date | null;
  /** When the form last got a request by it since then. */
  readonly aliasUsedAt: Date | null;
}

const columns = sql`s.id, s.slug, s.workspace_id as "workspaceId", w.name as "workspaceName", s.form_id as "formId",
  s.freed_at as "freedAt", s.alias_until as "aliasUntil",
  (select greatest(u.lead_at, u.verified_at) from form_uses u
   where u.form_id = s.form_id and u.slug = s.slug and greatest(u.lead_at, u.verified_at) >= s.freed_at) as "aliasUsedAt"`;

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
  { slug, formId, freedAt, aliasUntil }: Pick<FormerSlugRecord, 'slug' | 'formId' | 'freedAt' | 'aliasUntil'>,
): Promise<void> {
  await run(
    client,
    sql`insert into former_slugs (workspace_id, slug, form_id, freed_at, alias_until)
      values (${workspaceId}, ${slug}, ${formId}, ${freedAt}, ${aliasUntil})
      on conflict (slug, workspace_id) do update set form_id = excluded.form_id, freed_at = excluded.freed_at,
        alias_until = excluded.alias_until`,
  );
}

/** Null when the workspace has no such former slug. */
export async function clearAlias(
  client: pg.PoolClient,
  workspaceId: string,
  slug: string,
): Promise<FormerSlugRecord | null> {
  return firstRow(
    client,
    sql<FormerSlugRecord>`update former_slugs s set alias_until = null from workspaces w
      where s.workspace_id = ${workspaceId} and s.slug = ${slug} and w.id = s.workspace_id returning ${columns}`,
  );
}

/** Those of a form that is being deleted. */
export async function clearAliasesOf(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
): Promise<void> {
  await run(
    client,
    sql`update former_slugs set alias_until = null where workspace_id = ${workspaceId} and form_id = ${formId}`,
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
