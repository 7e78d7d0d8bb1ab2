import type { Queryable } from '../pool.ts';

/** Names by id. Forms and tokens, also deleted ones, only of this workspace. */
export async function findAuditNames(
  db: Queryable,
  workspaceId: string | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query(
    `select id, name from people where id = any ($2)
     union all select id, name from forms where workspace_id = $1 and id = any ($2)
     union all select id, name from tokens where workspace_id = $1 and id = any ($2)`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
