import { sql } from 'kysely';
import { shardOf } from '../../../domain/workspace.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';
import { noToken } from './sources.ts';

interface FormSource {
  readonly workspaceId: string;
  readonly formId: string;
  readonly surface: string;
}

/**
 * When the last lead of each form was accepted on a surface without tokens, in the order of the sources; null for none since
 * then. All are on one node.
 */
export async function readLastAccepted(
  db: Queryable,
  sources: readonly FormSource[],
  since: Date,
): Promise<(Date | null)[]> {
  const workspaceIds = [...new Set(sources.map(({ workspaceId }) => workspaceId))];
  const shards = [...new Set(workspaceIds.map(shardOf))];
  const rows = await rowsOf(
    db,
    sql<FormSource & { readonly at: Date }>`
      select workspace_id as "workspaceId", form_id as "formId", surface, max(last_at) as at from outcome_counts
      where shard = any (${shards}::smallint[]) and workspace_id = any (${workspaceIds}::uuid[]) and minute >= ${since}
        and outcome = 'accepted' and form_id = any (${sources.map(({ formId }) => formId)}::uuid[])
        and token_id = ${noToken}
      group by workspace_id, form_id, surface`,
  );
  const keyOf = ({ workspaceId, formId, surface }: FormSource) => [workspaceId, formId, surface].join();
  const found = new Map(rows.map((row) => [keyOf(row), row.at]));
  return sources.map((source) => found.get(keyOf(source)) ?? null);
}
