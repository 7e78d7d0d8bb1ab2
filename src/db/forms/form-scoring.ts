import type pg from 'pg';
import type { FormField } from '../../domain/form.ts';
import { completeSettings, type ScoringSettings } from '../../domain/score/settings/settings.ts';
import type { RowsWithinBytes } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { rowsWithinBytes, withinBytes } from '../within-bytes.ts';

export interface FormScoringRecord {
  readonly version: number;
  readonly settings: ScoringSettings;
  /** Null as long as nothing was ever set. */
  readonly createdAt: Date | null;
  readonly createdBy: string | null;
}

export interface ScoringVersionRecord extends FormScoringRecord {
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** Null when there is no such form. */
export async function findFormScoring(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<FormScoringRecord | null> {
  const { rows } = await db.query(
    `select f.scoring_version as version, f.scoring as settings, v.created_at as "createdAt",
       v.created_by as "createdBy"
     from forms f left join form_scoring_versions v on v.form_id = f.id and v.version = f.scoring_version
     where f.workspace_id = $1 and f.id = $2 and f.deleted_at is null`,
    [workspaceId, formId],
  );
  return rows.map(withCompleteSettings)[0] ?? null;
}

/** The caller holds the lock of the form, so no other version can come between. */
export async function saveFormScoring(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { version, settings, createdAt, createdBy }: ScoringVersionRecord,
  revision: number,
): Promise<void> {
  const json = JSON.stringify(settings);
  await client.query(
    'update forms set scoring = $3, scoring_version = $4, revision = $5 where workspace_id = $1 and id = $2',
    [workspaceId, formId, json, version, revision],
  );
  await client.query(
    `insert into form_scoring_versions (workspace_id, form_id, version, settings, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [workspaceId, formId, version, json, createdAt, createdBy],
  );
}

interface ScoringVersionRequest {
  readonly only: number | undefined;
  readonly before: number | null;
  readonly limit: number;
  readonly bytesMax: number;
}

/** Newest first: those below `before`, or only the one asked for. */
export async function listScoringVersions(
  db: Queryable,
  workspaceId: string,
  formId: string,
  { only, before, limit, bytesMax }: ScoringVersionRequest,
): Promise<RowsWithinBytes<ScoringVersionRecord>> {
  const list = `
    select version, settings, created_at as "createdAt", created_by as "createdBy" from form_scoring_versions
    where workspace_id = $1 and form_id = $2 and ($3::integer is null or version = $3)
      and ($4::integer is null or version < $4)
    order by version desc limit $5`;
  const { rows } = await db.query(
    withinBytes({ list, order: 'version desc', column: 'settings', bytesMax: '$6' }),
    [workspaceId, formId, only, before, limit, bytesMax],
  );
  return rowsWithinBytes(rows.map(withCompleteSettings));
}

function withCompleteSettings<Row extends { readonly settings: ScoringSettings | null }>(row: Row) {
  return { ...row, settings: completeSettings(row.settings) };
}

export interface ScoredForm {
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly version: number;
  readonly settings: ScoringSettings;
}

/** How several forms judge now; also forms that were deleted since, because their leads are still there. */
export async function listScoredForms(db: Queryable, formIds: readonly string[]): Promise<ScoredForm[]> {
  const { rows } = await db.query(
    `select id, fields, scoring_version as version, scoring as settings from forms where id = any ($1::uuid[])`,
    [formIds],
  );
  return rows.map(withCompleteSettings);
}
