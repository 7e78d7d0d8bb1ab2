import { type RawBuilder, sql } from 'kysely';
import { shardOf } from '../domain/workspace.ts';

/** Selects the rows of a workspace in a table that is divided by shards. */
export function inWorkspace(workspaceId: string): RawBuilder<unknown> {
  return sql`shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId}`;
}

/** The shard of a joined table. Citus runs a statement on one node if each table in it names the shard. */
export function isShardOf(workspaceId: string, table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.shard`)} = ${shardOf(workspaceId)}`;
}

/** Selects the rows of several leads. */
export function areLeads(workspaceId: string, submissionIds: readonly string[]): RawBuilder<unknown> {
  return sql`${inWorkspace(workspaceId)} and submission_id = any (${submissionIds}::uuid[])`;
}

/** Selects the row of a lead in any table with leads. */
export function isLead(workspaceId: string, submissionId: string): RawBuilder<unknown> {
  return sql`${inWorkspace(workspaceId)} and submission_id = ${submissionId}`;
}
