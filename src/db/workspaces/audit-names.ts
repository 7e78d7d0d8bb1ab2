import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';

/**
 * Present names by id: people, this workspace, and its forms, tokens and API keys, including deleted ones, and destinations. Without a workspace, for operators:
 * people and all workspaces.
 */
export async function findAuditNames(
  db: Queryable,
  workspaceId: string | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(
    db,
    sql<{ id: string; name: string }>`select id, name from people where id = any (${ids})
      union all select id, name from forms where workspace_id = ${workspaceId} and id = any (${ids})
      union all select id, name from tokens where workspace_id = ${workspaceId} and id = any (${ids})
      union all select id, name from api_keys where workspace_id = ${workspaceId} and id = any (${ids})
      union all select id, name from destinations where workspace_id = ${workspaceId} and id = any (${ids})
      union all select id, name from workspaces where coalesce(${workspaceId}::uuid, id) = id and id = any (${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
