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

/** For `unnest`. */
export function arraysOf(leads: readonly LeadRef[]): RawBuilder<unknown> {
  const shards = leads.map(({ shard }) => shard);
  const workspaceIds = leads.map(({ workspaceId }) => workspaceId);
  const submissionIds = leads.map(({ submissionId }) => submissionId);
  return sql`${shards}::smallint[], ${workspaceIds}::uuid[], ${submissionIds}::uuid[]`;
}
