import { sql } from 'kysely';
import type { AlarmSettings } from '../../domain/alarm/settings.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';
import { settingsOf } from './alarm-settings.ts';

export interface WatchedWorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly isSuspended: boolean;
  readonly settings: AlarmSettings;
}

export async function listWatchedWorkspaces(db: Queryable): Promise<WatchedWorkspaceRow[]> {
  const rows = await rowsOf(
    db,
    sql<WatchedWorkspaceRow>`
      select w.id, w.name, w.status = 'suspended' as "isSuspended", s.settings
      from workspaces w left join alarm_settings s on s.workspace_id = w.id`,
  );
  return rows.map((row) => ({ ...row, settings: settingsOf(row.settings) }));
}

export interface WatchedFormRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly isActive: boolean;
}

export async function listWatchedForms(db: Queryable): Promise<WatchedFormRow[]> {
  return rowsOf(
    db,
    sql<WatchedFormRow>`
      select workspace_id as "workspaceId", id, name, slug, active as "isActive" from forms
      where deleted_at is null`,
  );
}

export interface WatchedTokenRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly formId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Those that were valid after that time. */
export async function listWatchedTokens(db: Queryable, endedAfter: Date): Promise<WatchedTokenRow[]> {
  return rowsOf(
    db,
    sql<WatchedTokenRow>`
      select t.workspace_id as "workspaceId", t.id, t.form_id as "formId", t.name, t.created_at as "createdAt",
        t.expires_at as "expiresAt",
        t.revoked_at as "revokedAt", t.last_used_at as "lastUsedAt"
      from tokens t join forms f on f.id = t.form_id and f.deleted_at is null
      where (t.revoked_at is null or t.revoked_at > ${endedAfter})
        and (t.expires_at is null or t.expires_at > ${endedAfter})`,
  );
}

/** The names of destinations that exist, by ID. */
export async function readDestinationNames(
  db: Queryable,
  destinationIds: readonly string[],
): Promise<Map<string, string>> {
  if (destinationIds.length === 0) return new Map();
  const rows = await rowsOf(
    db,
    sql<{ readonly id: string; readonly name: string }>`
      select id, name from destinations where id = any (${destinationIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
