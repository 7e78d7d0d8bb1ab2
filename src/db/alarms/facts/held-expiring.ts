import { sql } from 'kysely';
import { areAdmissible } from '../../held/held-counts.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

export interface HeldExpiring {
  readonly workspaceId: string;
  readonly count: number;
  readonly firstExpiresAt: Date;
  readonly lastExpiresAt: Date;
}

/** Held submissions that can be admitted and are deleted before a time. The shards are those of one node. */
export async function listHeldExpiring(
  db: Queryable,
  shards: readonly number[],
  now: Date,
  until: Date,
): Promise<HeldExpiring[]> {
  return rowsOf(
    db,
    sql<HeldExpiring>`
      select workspace_id as "workspaceId", count(*) as count, min(expires_at) as "firstExpiresAt",
        max(expires_at) as "lastExpiresAt"
      from held_submissions
      where shard = any (${shards}::smallint[]) and state = 'held' and ${areAdmissible}
        and expires_at > ${now} and expires_at <= ${until}
      group by shard, workspace_id`,
  );
}
