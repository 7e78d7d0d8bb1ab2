import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

export interface ReusedKey {
  readonly workspaceId: string;
  readonly formId: string;
  /** Different persons under the same key. */
  readonly leads: number;
  readonly isSecret: boolean;
}

/** The worst key of each form: with at least so many different persons, or one that is a secret. The shards are those of one node. */
export async function listReusedKeys(
  db: Queryable,
  shards: readonly number[],
  since: Date,
  leadsMin: number,
): Promise<ReusedKey[]> {
  return rowsOf(
    db,
    sql<ReusedKey>`
      select workspace_id as "workspaceId", form_id as "formId", max(leads) as leads, bool_or(is_secret) as "isSecret"
      from (
        select shard, workspace_id, form_id, count(distinct person_hash) as leads, bool_or(is_secret) as is_secret
        from diagnostic_notes
        where shard = any (${shards}::smallint[]) and at > ${since} and key_hash is not null
        group by shard, workspace_id, form_id, key_hash
      ) as keys
      where leads >= ${leadsMin} or is_secret
      group by shard, workspace_id, form_id`,
  );
}
