import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

export interface TokenOutcome {
  readonly tokenId: string;
  /** The start of the hour. */
  readonly hour: Date;
  /** 'accepted' or a reason from the rejection table. */
  readonly outcome: string;
  readonly count: number;
}

/** What became of requests with these tokens, by hour, in one statement. */
export async function countTokenOutcomes(
  db: Queryable,
  workspaceId: string,
  tokenIds: readonly string[],
  from: Date,
): Promise<TokenOutcome[]> {
  return rowsOf(
    db,
    sql<TokenOutcome>`
      select token_id as "tokenId", date_bin('1 hour', minute, '1970-01-01T00:00:00Z') as hour, outcome,
        sum(count)::bigint as count
      from outcome_counts
      where ${inWorkspace(workspaceId)} and minute >= ${from} and token_id = any (${tokenIds}::uuid[])
      group by 1, 2, 3 order by 1, 2, 3`,
  );
}
