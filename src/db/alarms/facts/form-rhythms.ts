import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { onlyRow, rowsOf } from '../../sql.ts';
import { wholeForm } from '../source-rhythms.ts';

/** What is usual for a form, as of last night. */
export interface FormRhythm {
  readonly formId: string;
  readonly leads: number;
  readonly weeks: number;
  /** Of the last four weeks. */
  readonly scoredLeads: number;
  readonly spamLeads: number;
}

/** The shards are on one node. */
export async function listFormRhythms(
  db: Queryable,
  shards: readonly number[],
  workspaceIds: readonly string[],
  formIds: readonly string[],
): Promise<FormRhythm[]> {
  return rowsOf(
    db,
    sql<FormRhythm>`
      select form_id as "formId", leads, weeks, scored_leads as "scoredLeads", spam_leads as "spamLeads"
      from source_rhythms
      where shard = any (${shards}::smallint[]) and workspace_id = any (${workspaceIds}::uuid[])
        and form_id = any (${formIds}::uuid[]) and token_id = ${wholeForm}`,
  );
}

export async function countAccepted(
  db: Queryable,
  workspaceId: string,
  formId: string,
  since: Date,
): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      select coalesce(sum(count), 0)::bigint as count from outcome_counts
      where ${inWorkspace(workspaceId)} and minute >= ${since} and outcome = 'accepted' and form_id = ${formId}`,
  );
  return count;
}
