import { type RawBuilder, sql } from 'kysely';

/** The key of a lead in every table that has a row for it. */
export interface LeadRef {
  readonly shard: number;
  readonly workspaceId: string;
  readonly submissionId: string;
}

/** Leads as the rows of a table, for joins. */
export function listOf(leads: readonly LeadRef[]): RawBuilder<unknown> {
  return sql`unnest(${arraysOf(leads)}) as i (shard, workspace_id, submission_id)`;
}

/**
 * Names the shard if all of these leads are in the same one. Citus then runs the statement on the node of that shard, and
 * only there can it lock rows; so on a cluster the caller gives leads of one shard at a time. Every hot table in the
 * statement needs this condition.
 */
export function inShardOf(leads: readonly LeadRef[], table: string): RawBuilder<unknown> {
  const shards = new Set(leads.map(({ shard }) => shard));
  const [shard] = shards;
  return shards.size === 1 ? sql`${sql.ref(`${table}.shard`)} = ${shard}` : sql`true`;
}

/** For `unnest`. */
export function arraysOf(leads: readonly LeadRef[]): RawBuilder<unknown> {
  const shards = leads.map(({ shard }) => shard);
  const workspaceIds = leads.map(({ workspaceId }) => workspaceId);
  const submissionIds = leads.map(({ submissionId }) => submissionId);
  return sql`${shards}::smallint[], ${workspaceIds}::uuid[], ${submissionIds}::uuid[]`;
}

/** In ascending order. */
export function byShard<Row extends { readonly shard: number }>(rows: readonly Row[]): Row[][] {
  const groups = Map.groupBy(rows, ({ shard }) => shard);
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}
