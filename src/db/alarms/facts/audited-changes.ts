import { sql } from 'kysely';
import type { AuditedChange } from '../../../domain/alarm/rejections/after-change.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

/** Completed actions since a time, the newest first. Each action is searched by its index. */
export async function listAuditedChanges(
  db: Queryable,
  workspaceIds: readonly string[],
  actions: readonly { readonly action: string; readonly since: Date }[],
): Promise<AuditedChange[]> {
  return rowsOf(
    db,
    sql<AuditedChange>`
      select a.workspace_id as "workspaceId", a.action, a.target ->> 'form_id' as "formId",
        a.target ->> 'token_id' as "tokenId", a.at, a.actor_kind as "actorKind", a.actor_name as "actorName",
        a.changes, a.names
      from unnest(${actions.map(({ action }) => action)}::text[], ${actions.map(({ since }) => since)}::timestamptz[])
        as wanted (action, since)
      join audit_log a on a.action = wanted.action and a.at >= wanted.since
      where a.workspace_id = any (${workspaceIds}::uuid[]) and a.completed
      order by a.at desc`,
  );
}
