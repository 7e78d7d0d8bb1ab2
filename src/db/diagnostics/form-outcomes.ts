import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

export interface FormOutcome {
  readonly formId: string;
  readonly outcome: string;
  readonly count: number;
}

/** How often each outcome occurred for each form since the minute of a time. */
export async function countOutcomesByForm(
  db: Queryable,
  workspaceId: string,
  since: Date,
): Promise<FormOutcome[]> {
  return rowsOf(
    db,
    sql<FormOutcome>`select form_id as "formId", outcome, sum(count)::bigint as count from outcome_counts
      where ${inWorkspace(workspaceId)} and minute >= date_trunc('minute', ${since}::timestamptz)
      group by 1, 2`,
  );
}
