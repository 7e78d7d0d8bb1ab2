import { sql } from 'kysely';
import type pg from 'pg';
import type { FormField, ReplayProtection } from '../../domain/form.ts';
import { comesAfter, type LargePageRequest, type RowsWithinBytes } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import { rowsWithinBytes, withinBytes } from '../within-bytes.ts';

export interface FormRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly slug: string;
  readonly active: boolean;
  readonly fields: readonly FormField[];
  readonly replayProtection: ReplayProtection;
  /** Whether rejected requests to it are kept. */
  readonly keepsRejected: boolean;
  readonly createdAt: Date;
  readonly secretSetAt: Date | null;
  readonly previousSecretValidUntil: Date | null;
}

export type NewFormRecord = Omit<FormRecord, 'secretSetAt' | 'previousSecretValidUntil'>;
export type FormRecordChanges = {
  readonly [Column in 'name' | 'slug' | 'active' | 'fields' | 'replayProtection' | 'keepsRejected']?:
    | FormRecord[Column]
    | undefined;
};

const livingForms = sql<FormRecord>`
  select f.id, f.workspace_id as "workspaceId", f.name, f.slug, f.active, f.fields,
    f.replay_protection as "replayProtection", f.keeps_rejected as "keepsRejected", f.created_at as "createdAt",
    s.set_at as "secretSetAt", s.previous_valid_until as "previousSecretValidUntil"
  from forms f left join webhook_secrets s on s.form_id = f.id
  where f.deleted_at is null`;

export async function findForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<FormRecord | null> {
  return firstRow(
    db,
    sql<FormRecord>`${livingForms} and f.workspace_id = ${workspaceId} and f.id = ${formId}`,
  );
}

/** Like findForm, but locks the form until the end of the transaction. */
export async function findFormForUpdate(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
): Promise<FormRecord | null> {
  return firstRow(
    client,
    sql<FormRecord>`${livingForms} and f.workspace_id = ${workspaceId} and f.id = ${formId} for update of f`,
  );
}

export async function listForms(
  db: Queryable,
  workspaceId: string,
  { after, limit, bytesMax }: LargePageRequest,
): Promise<RowsWithinBytes<FormRecord>> {
  const list = sql<FormRecord>`${livingForms} and f.workspace_id = ${workspaceId}
      and ${comesAfter(after, 'f.created_at', 'f.id')}
    order by f.created_at desc, f.id desc limit ${limit}`;
  const rows = await rowsOf(
    db,
    withinBytes({ list, order: sql`"createdAt" desc, id desc`, column: 'fields', bytesMax }),
  );
  return rowsWithinBytes(rows);
}

/** Those that are not deleted. */
export async function listFormIds(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<
      Pick<FormRecord, 'id'>
    >`select id from forms where workspace_id = ${workspaceId} and deleted_at is null`,
  );
  return rows.map(({ id }) => id);
}

export async function insertForm(
  client: pg.PoolClient,
  workspaceId: string,
  { id, name, slug, active, fields, replayProtection, keepsRejected, createdAt }: NewFormRecord,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`insert into forms (workspace_id, id, name, slug, active, fields, replay_protection, keeps_rejected, created_at,
        revision)
      values (${workspaceId}, ${id}, ${name}, ${slug}, ${active}, ${JSON.stringify(fields)}, ${replayProtection},
        ${keepsRejected}, ${createdAt}, ${revision})`,
  );
}

export async function countForms(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from forms
      where workspace_id = ${workspaceId} and deleted_at is null`,
  );
  return count;
}

/** Undefined values are not changed. */
export async function updateForm(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { name, slug, active, fields, replayProtection, keepsRejected }: FormRecordChanges,
  revision: number,
): Promise<void> {
  const fieldsJson = fields === undefined ? undefined : JSON.stringify(fields);
  await run(
    client,
    sql`update forms set name = coalesce(${name}, name), slug = coalesce(${slug}, slug),
        active = coalesce(${active}, active), fields = coalesce(${fieldsJson}, fields),
        replay_protection = coalesce(${replayProtection}, replay_protection),
        keeps_rejected = coalesce(${keepsRejected}, keeps_rejected), revision = ${revision}
      where workspace_id = ${workspaceId} and id = ${formId} and deleted_at is null`,
  );
}

export async function markFormDeleted(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  deletedAt: Date,
  revision: number,
): Promise<void> {
  await run(
    client,
    sql`update forms set deleted_at = ${deletedAt}, revision = ${revision}
      where workspace_id = ${workspaceId} and id = ${formId}`,
  );
}

/**
 * Serialises all changes of slugs, so that nothing changes between the check and the write. Take this lock before that of a
 * form, never after.
 */
export async function lockSlugs(client: pg.PoolClient): Promise<void> {
  await run(client, sql`select pg_advisory_xact_lock(hashtextextended('leadgate slugs', 0))`);
}

export interface SlugHolder {
  readonly slug: string;
  readonly workspaceId: string;
  /** No form uses the slug any more, but it is still reserved for the workspace. */
  readonly isFormer: boolean;
}

/** The workspaces that hold any of these slugs. */
export async function findSlugHolders(db: Queryable, slugs: readonly string[]): Promise<SlugHolder[]> {
  return rowsOf(
    db,
    sql<SlugHolder>`select slug, workspace_id as "workspaceId", false as "isFormer" from forms
      where slug = any (${slugs}) and deleted_at is null
      union all
      select slug, workspace_id, true from former_slugs where slug = any (${slugs})`,
  );
}

/** The field keys declared by one form or by all forms that are not deleted, in the order of their declaration. */
export async function listDeclaredKeys(
  db: Queryable,
  workspaceId: string,
  formId: string | undefined,
): Promise<string[]> {
  const isChosen = formId === undefined ? sql`true` : sql`id = ${formId}`;
  const rows = await rowsOf(
    db,
    sql<{ key: string }>`select declared.field ->> 'key' as key
      from forms, jsonb_array_elements(fields) with ordinality as declared (field, place)
      where workspace_id = ${workspaceId} and ${isChosen} and deleted_at is null
      group by 1 order by min(declared.place), 1`,
  );
  return rows.map(({ key }) => key);
}

/** The names of all forms of a workspace by id. Includes deleted forms, because their leads still exist. */
export async function listFormNames(
  db: Queryable,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(
    db,
    sql<{ id: string; name: string }>`select id, name from forms where workspace_id = ${workspaceId}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type FormName = Pick<FormRecord, 'id' | 'name' | 'slug'>;

/** Includes deleted forms, because their leads still exist. */
export async function listAllForms(db: Queryable, workspaceId: string): Promise<FormName[]> {
  return rowsOf(db, sql<FormName>`select id, name, slug from forms where workspace_id = ${workspaceId}`);
}

/** Of these, the forms that exist in the workspace. */
export async function findFormNames(
  db: Queryable,
  workspaceId: string,
  formIds: readonly string[],
): Promise<FormName[]> {
  return rowsOf(
    db,
    sql<FormName>`select id, name, slug from forms
      where workspace_id = ${workspaceId} and id = any (${formIds}::uuid[]) and deleted_at is null`,
  );
}
