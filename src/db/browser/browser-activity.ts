import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

/** What became of the visits of one origin. */
export interface OriginActivity {
  /** Empty for all origins that are not allowed. */
  readonly origin: string;
  /** How often each step happened. */
  readonly steps: Readonly<Record<string, number>>;
  readonly lastAt: Date;
}

// A rule with a wildcard allows any number of origins.
const originsMax = 100;

/** The origins that were seen last come first. */
export async function listOriginActivity(
  db: Queryable,
  workspaceId: string,
  formId: string,
  since: Date,
): Promise<OriginActivity[]> {
  return rowsOf(
    db,
    sql<OriginActivity>`
      select origin, jsonb_object_agg(step, total) as steps, max(last_at) as "lastAt"
      from (
        select origin, step, sum(count) as total, max(last_at) as last_at from mint_counts
        where ${inWorkspace(workspaceId)} and form_id = ${formId} and minute >= ${since}
        group by origin, step
      ) as counted
      group by origin order by max(last_at) desc, origin limit ${originsMax}`,
  );
}
