import type { Queryable } from '../pool.ts';

/** Whose table it is; `formId` is null for the table of all leads. */
export interface TableOwner {
  readonly workspaceId: string;
  readonly personId: string;
  readonly formId: string | null;
}

const allForms = '00000000-0000-0000-0000-000000000000';

export async function findTableView(db: Queryable, owner: TableOwner): Promise<unknown> {
  const { rows } = await db.query(
    'select view from lead_table_views where workspace_id = $1 and person_id = $2 and form_id = $3',
    keyOf(owner),
  );
  return rows[0]?.view ?? null;
}

export async function saveTableView(
  db: Queryable,
  owner: TableOwner,
  view: object,
  updatedAt: Date,
): Promise<void> {
  await db.query(
    `insert into lead_table_views (workspace_id, person_id, form_id, view, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, person_id, form_id) do update
     set view = excluded.view, updated_at = excluded.updated_at`,
    [...keyOf(owner), JSON.stringify(view), updatedAt],
  );
}

export async function deleteTableView(db: Queryable, owner: TableOwner): Promise<void> {
  await db.query(
    'delete from lead_table_views where workspace_id = $1 and person_id = $2 and form_id = $3',
    keyOf(owner),
  );
}

function keyOf({ workspaceId, personId, formId }: TableOwner): string[] {
  return [workspaceId, personId, formId ?? allForms];
}
