import { sql } from 'kysely';
import type pg from 'pg';
import type { FormField } from '../../domain/form.ts';
import type { NumberedModel } from '../../domain/score/learning/learned-model.ts';
import { completeSettings, type ScoringSettings } from '../../domain/score/settings/settings.ts';
import type { RowsWithinBytes } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { allOf, firstRow, rowsOf, run } from '../sql.ts';
import { rowsWithinBytes, withinBytes } from '../within-bytes.ts';
import { learnedModel } from './form-learning.ts';

export interface FormScoringRecord {
  readonly version: number;
  readonly settings: ScoringSettings;
  /** Null until settings are saved for the first time. */
  readonly createdAt: Date | null;
  readonly createdBy: string | null;
}

export interface ScoringVersionRecord extends FormScoringRecord {
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** Settings as they were saved, without options that were added later. Null until they are saved for the first time. */
type Stored<Complete extends { readonly settings: ScoringSettings }> = Omit<Complete, 'settings'> & {
  readonly settings: ScoringSettings | null;
};

/** The current settings, with what the form has learned from marks. */
export interface CurrentScoringRecord extends FormScoringRecord {
  readonly learned: NumberedModel | null;
}

/** Null when there is no such form. */
export async function findFormScoring(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<CurrentScoringRecord | null> {
  const found = await firstRow(
    db,
    sql<Stored<CurrentScoringRecord>>`
      select f.scoring_version as version, f.scoring as settings, v.created_at as "createdAt",
        v.created_by as "createdBy", ${learnedModel} as learned
      from forms f left join form_scoring_versions v on v.form_id = f.id and v.version = f.scoring_version
        left join form_learning l on l.form_id = f.id
      where f.workspace_id = ${workspaceId} and f.id = ${formId} and f.deleted_at is null`,
  );
  return found === null ? null : withCompleteSettings(found);
}

/** The caller holds the lock of the form, so no other call can save the same version. */
export async function saveFormScoring(
  client: pg.PoolClient,
  workspaceId: string,
  formId: string,
  { version, settings, createdAt, createdBy }: ScoringVersionRecord,
  revision: number,
): Promise<void> {
  const json = JSON.stringify(settings);
  await run(
    client,
    sql`update forms set scoring = ${json}, scoring_version = ${version}, revision = ${revision}
      where workspace_id = ${workspaceId} and id = ${formId}`,
  );
  await run(
    client,
    sql`insert into form_scoring_versions (workspace_id, form_id, version, settings, created_at, created_by)
      values (${workspaceId}, ${formId}, ${version}, ${json}, ${createdAt}, ${createdBy})`,
  );
}

interface ScoringVersionRequest {
  readonly only: number | undefined;
  readonly before: number | null;
  readonly limit: number;
  readonly bytesMax: number;
}

/** Versions below `before`, newest first, or only the version `only`. */
export async function listScoringVersions(
  db: Queryable,
  workspaceId: string,
  formId: string,
  { only, before, limit, bytesMax }: ScoringVersionRequest,
): Promise<RowsWithinBytes<ScoringVersionRecord>> {
  const conditions = [sql`workspace_id = ${workspaceId} and form_id = ${formId}`];
  if (only !== undefined) conditions.push(sql`version = ${only}`);
  if (before !== null) conditions.push(sql`version < ${before}`);
  const list = sql<Stored<ScoringVersionRecord>>`
    select version, settings, created_at as "createdAt", created_by as "createdBy" from form_scoring_versions
    where ${allOf(conditions)} order by version desc limit ${limit}`;
  const rows = await rowsOf(
    db,
    withinBytes({ list, order: sql`version desc`, column: 'settings', bytesMax }),
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

/** The current scoring settings of several forms. Includes deleted forms, because their leads still exist. */
export async function listScoredForms(db: Queryable, formIds: readonly string[]): Promise<ScoredForm[]> {
  const rows = await rowsOf(
    db,
    sql<Stored<ScoredForm>>`select id, fields, scoring_version as version, scoring as settings from forms
      where id = any (${formIds}::uuid[])`,
  );
  return rows.map(withCompleteSettings);
}
