import { sql } from 'kysely';
import type pg from 'pg';
import { type AlarmSettings, defaultAlarmSettings } from '../../domain/alarm/settings.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, run } from '../sql.ts';

export interface AlarmSettingsRecord {
  readonly settings: AlarmSettings;
  /** 0 if nobody has changed them. */
  readonly version: number;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

/** Times are text in JSON, and options that were added later are missing. */
export function settingsOf(stored: unknown): AlarmSettings {
  const settings = { ...defaultAlarmSettings, ...(stored as Partial<AlarmSettings> | null) };
  return {
    ...settings,
    rules: settings.rules.map((rule) => ({
      ...rule,
      mutedUntil: rule.mutedUntil === null ? null : new Date(rule.mutedUntil),
    })),
  };
}

export async function findAlarmSettings(db: Queryable, workspaceId: string): Promise<AlarmSettingsRecord> {
  const found = await firstRow(
    db,
    sql<AlarmSettingsRecord>`
      select settings, version, updated_at as "updatedAt", updated_by as "updatedBy"
      from alarm_settings where workspace_id = ${workspaceId}`,
  );
  if (found === null) return { settings: defaultAlarmSettings, version: 0, updatedAt: null, updatedBy: null };
  return { ...found, settings: settingsOf(found.settings) };
}

/** The caller holds the lock of the workspace, so nobody else saves the same version. */
export async function saveAlarmSettings(
  client: pg.PoolClient,
  workspaceId: string,
  { settings, version, updatedAt, updatedBy }: AlarmSettingsRecord,
): Promise<void> {
  const json = JSON.stringify(settings);
  await run(
    client,
    sql`
      insert into alarm_settings (workspace_id, settings, version, updated_at, updated_by)
      values (${workspaceId}, ${json}, ${version}, ${updatedAt}, ${updatedBy})
      on conflict (workspace_id) do update set settings = excluded.settings, version = excluded.version,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
  );
}

export interface RuleSubjects {
  readonly formIds: readonly string[];
  /** The form of each token. */
  readonly tokenForms: Readonly<Record<string, string>>;
}

/** Of what the rules are about, as far as it belongs to the workspace and is not deleted. */
export async function readRuleSubjects(
  db: Queryable,
  workspaceId: string,
  rules: AlarmSettings['rules'],
): Promise<RuleSubjects> {
  const formIds = rules.flatMap(({ formId }) => formId ?? []);
  const tokenIds = rules.flatMap(({ tokenId }) => tokenId ?? []);
  return onlyRow(
    db,
    sql<RuleSubjects>`
      select
        (select coalesce(array_agg(id::text), '{}') from forms
         where workspace_id = ${workspaceId} and id = any (${formIds}::uuid[]) and deleted_at is null) as "formIds",
        (select coalesce(jsonb_object_agg(id, form_id), '{}') from tokens
         where workspace_id = ${workspaceId} and id = any (${tokenIds}::uuid[])) as "tokenForms"`,
  );
}
