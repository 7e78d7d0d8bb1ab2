import type pg from 'pg';
import type { FormField, ReplayProtection } from '../../domain/form.ts';
import type { LargePageRequest, RowsWithinBytes } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { rowsWithinBytes, withinBytes } from '../within-bytes.ts';

export interface FormRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly slug: string;
  readonly active: boolean;
  readonly fields: readonly FormField[];
  readonly replayProtection: ReplayProtection;
  readonly createdAt: Date;
  readonly secretSetAt: Date | null;
  readonly previousSecretValidUntil: Date | null;
}

export type NewFormRecord = Omit<FormRecord, 'secretSetAt' | 'previousSecretValidUntil'>;
export type FormRecordChanges = {
  readonly [Column in 'name' | 'slug' | 'active' | 'fields' | 'replayProtection']?:
    | FormRecord[Column]
    | undefined;
};

const livingForms = `
  select f.id, f.workspace_id as "workspaceId", f.name, f.slug, f.active, f.fields,
    f.replay_protection as "replayProtection", f.created_at as "createdAt",
    s.set_at as "secretSetAt", s.previous_valid_until as "previousSecretValidUntil"
  from forms f left join webhook_secrets s on s.form_id = f.id
  where f.deleted_at is null`;

export async function findForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<FormRecord | null> {
  const { rows } = await db.query(`${livingForms} and f.workspace_id = $1 and f.id = $2`, [
    workspaceId,
    formId,
  ]);
  return rows[0] ?? null;
}

/** As findForm, and until the end of the transaction nobody else can change or delete the form. */
export async function findFormForUpdate(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
): Promise<FormRecord | null> {
  const { rows } = await client.query(
    `${livingForms} and f.workspace_id = $1 and f.id = $2 for update of f`,
    [workspaceId, formId],
  );
  return rows[0] ?? null;
}

export async function listForms(
  db: Queryable,
  workspaceId: string,
  { after, limit, bytesMax }: LargePageRequest,
): Promise<RowsWithinBytes<FormRecord>> {
  const list = `${livingForms} and f.workspace_id = $1
      and ($2::timestamptz is null or (f.created_at, f.id) < ($2, $3::uuid))
    order by f.created_at desc, f.id desc limit $4`;
  const { rows } = await db.query(
    withinBytes({ list, order: '"createdAt" desc, id desc', column: 'fields', bytesMax: '$5' }),
    [workspaceId, after?.at, after?.id, limit, bytesMax],
  );
  return rowsWithinBytes(rows);
}

export async function insertForm(
  client: pg.PoolClient,
  workspaceId: string,
  form: NewFormRecord,
  revision: number,
): Promise<void> {
  await client.query(
    `insert into forms (workspace_id, id, name, slug, active, fields, replay_protection, created_at, revision)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      workspaceId,
      form.id,
      form.name,
      form.slug,
      form.active,
      JSON.stringify(form.fields),
      form.replayProtection,
      form.createdAt,
      revision,
    ],
  );
}

export async function countForms(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query(
    'select count(*) as count from forms where workspace_id = $1 and deleted_at is null',
    [workspaceId],
  );
  return rows[0].count;
}

/** What is undefined stays as it is. */
export async function updateForm(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { name, slug, active, fields, replayProtection }: FormRecordChanges,
  revision: number,
): Promise<void> {
  await client.query(
    `update forms set name = coalesce($3, name), slug = coalesce($4, slug), active = coalesce($5, active),
       fields = coalesce($6, fields), replay_protection = coalesce($7, replay_protection), revision = $8
     where workspace_id = $1 and id = $2 and deleted_at is null`,
    [
      workspaceId,
      formId,
      name,
      slug,
      active,
      fields === undefined ? undefined : JSON.stringify(fields),
      replayProtection,
      revision,
    ],
  );
}

export async function markFormDeleted(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  deletedAt: Date,
  revision: number,
): Promise<void> {
  await client.query('update forms set deleted_at = $3, revision = $4 where workspace_id = $1 and id = $2', [
    workspaceId,
    formId,
    deletedAt,
    revision,
  ]);
}

/**
 * Slugs are taken and given up one at a time, so that nothing changes between the look and the write. Taken before the
 * row of a form is locked, never after.
 */
export async function lockSlugs(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('leadgate slugs', 0))`);
}

export interface SlugHolder {
  readonly slug: string;
  readonly workspaceId: string;
  /** No form has it any more, but it stays with the workspace. */
  readonly isFormer: boolean;
}

/** Which of these slugs belong to somebody, and to which workspaces. */
export async function findSlugHolders(db: Queryable, slugs: readonly string[]): Promise<SlugHolder[]> {
  const { rows } = await db.query(
    `select slug, workspace_id as "workspaceId", false as "isFormer" from forms
     where slug = any ($1) and deleted_at is null
     union all
     select slug, workspace_id, true from former_slugs where slug = any ($1)`,
    [slugs],
  );
  return rows;
}

/** The field keys that the living forms declare, or that one of them does, in the order of their declaration. */
export async function listDeclaredKeys(
  db: Queryable,
  workspaceId: string,
  formId: string | undefined,
): Promise<string[]> {
  const { rows } = await db.query(
    `select declared.field ->> 'key' as key
     from forms, jsonb_array_elements(fields) with ordinality as declared (field, place)
     where workspace_id = $1 and ($2::uuid is null or id = $2) and deleted_at is null
     group by 1 order by min(declared.place), 1`,
    [workspaceId, formId],
  );
  return rows.map(({ key }) => key);
}
