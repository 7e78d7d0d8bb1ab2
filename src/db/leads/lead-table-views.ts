import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';

/** The owner of the view; `formId` is null for the table of all leads. */
export interface TableOwner {
  readonly workspaceId: string;
  readonly personId: string;
  readonly formId: string | null;
}

const allForms = '00000000-0000-0000-0000-000000000000';

export async function findTableView(db: Queryable, owner: TableOwner): Promise<unknown> {
  const row = await firstRow(
    db,
    sql<{ readonly view: unknown }>`select view from lead_table_views where ${isTableOf(owner)}`,
  );
  return row?.view ?? null;
}

export async function saveTableView(
  db: Queryable,
  { workspaceId, personId, formId }: TableOwner,
  view: object,
  updatedAt: Date,
): Promise<void> {
  await run(
    db,
    sql`
      insert into lead_table_views (workspace_id, person_id, form_id, view, updated_at)
      values (${workspaceId}, ${personId}, ${formId ?? allForms}, ${JSON.stringify(view)}, ${updatedAt})
      on conflict (workspace_id, person_id, form_id) do update
      set view = excluded.view, updated_at = excluded.updated_at`,
  );
}

export async function deleteTableView(db: Queryable, owner: TableOwner): Promise<void> {
  await run(db, sql`delete from lead_table_views where ${isTableOf(owner)}`);
}

function isTableOf({ workspaceId, personId, formId }: TableOwner): RawBuilder<unknown> {
  return sql`workspace_id = ${workspaceId} and person_id = ${personId} and form_id = ${formId ?? allForms}`;
}
