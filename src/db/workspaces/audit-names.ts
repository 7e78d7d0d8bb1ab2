import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';

/** Names by id: people, and the forms and tokens of this workspace, including deleted ones. */
export async function findAuditNames(
  db: Queryable,
  workspaceId: string | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(
    db,
    sql<{ id: string; name: string }>`select id, name from people where id = any (${ids})
      union all select id, name from forms where workspace_id = ${workspaceId} and id = any (${ids})
      union all select id, name from tokens where workspace_id = ${workspaceId} and id = any (${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
