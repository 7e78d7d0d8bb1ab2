import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';

export interface LeadViewRecord {
  readonly id: string;
  readonly name: string;
  /** As they were saved: an earlier version may have saved what this one does not know. */
  readonly filters: unknown;
  readonly layout: unknown;
  readonly version: number;
  /** Null if a key created it, or if the account was deleted. */
  readonly createdBy: string | null;
  readonly createdByKey: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface ListedLeadView extends LeadViewRecord {
  readonly creatorName: string | null;
  readonly isCreatorMember: boolean;
}

export async function listLeadViews(db: Queryable, workspaceId: string): Promise<ListedLeadView[]> {
  return rowsOf(db, sql<ListedLeadView>`${views(workspaceId)} order by lower(v.name), v.id`);
}

export async function findLeadView(
  db: Queryable,
  workspaceId: string,
  viewId: string,
): Promise<ListedLeadView | null> {
  return firstRow(db, sql<ListedLeadView>`${views(workspaceId)} and v.id = ${viewId}`);
}

function views(workspaceId: string): RawBuilder<unknown> {
  return sql`select v.id, v.name, v.filters, v.layout, v.version, v.created_by as "createdBy",
      v.created_by_key as "createdByKey", v.created_at as "createdAt", v.changed_at as "changedAt",
      p.name as "creatorName", m.person_id is not null as "isCreatorMember"
    from lead_views v
      left join people p on p.id = v.created_by
      left join memberships m on m.workspace_id = v.workspace_id and m.person_id = v.created_by
    where v.workspace_id = ${workspaceId}`;
}

export async function countLeadViews(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from lead_views where workspace_id = ${workspaceId}`,
  );
  return count;
}

/** Throws a unique violation when another view of the workspace has the name. */
export async function insertLeadView(
  client: pg.PoolClient,
  workspaceId: string,
  view: LeadViewRecord,
): Promise<void> {
  const { id, name, filters, layout, version, createdBy, createdByKey, createdAt, changedAt } = view;
  await run(
    client,
    sql`insert into lead_views (id, workspace_id, name, filters, layout, version, created_by, created_by_key,
        created_at, changed_at)
      values (${id}, ${workspaceId}, ${name}, ${JSON.stringify(filters)}, ${jsonOrNull(layout)}, ${version},
        ${createdBy}, ${createdByKey}, ${createdAt}, ${changedAt})`,
  );
}

/** Throws a unique violation when another view of the workspace has the name. */
export async function updateLeadView(
  client: pg.PoolClient,
  workspaceId: string,
  { id, name, filters, layout, version, changedAt }: LeadViewRecord,
): Promise<void> {
  await run(
    client,
    sql`update lead_views set name = ${name}, filters = ${JSON.stringify(filters)}, layout = ${jsonOrNull(layout)},
        version = ${version}, changed_at = ${changedAt}
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

export async function deleteLeadView(
  client: pg.PoolClient,
  workspaceId: string,
  viewId: string,
): Promise<void> {
  await run(client, sql`delete from lead_views where workspace_id = ${workspaceId} and id = ${viewId}`);
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
