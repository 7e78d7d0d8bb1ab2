import { sql } from 'kysely';
import type { Surface } from '../../domain/surface.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';
import { bucketOf, countedWithin, type DiagnosticsFilter, ofRejections } from './diagnostics.ts';

/** A group in one of its buckets. Whatever it does not tell apart is null. */
export interface GroupBucket {
  readonly reason: string;
  readonly surface: Surface | null;
  readonly formId: string | null;
  readonly tokenId: string | null;
  /** Of the whole group. */
  readonly total: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** How many groups there are, those beyond the limit included. */
  readonly groups: number;
  readonly at: Date;
  readonly count: number;
}

const bySender = sql`surface, nullif(form_id, '00000000-0000-0000-0000-000000000000') as form_id,
  nullif(token_id, '00000000-0000-0000-0000-000000000000') as token_id`;
const byReason = sql`null::text as surface, null::uuid as form_id, null::uuid as token_id`;

/** The most frequent groups of rejections, bucket by bucket. Filters by request are read from the single entries. */
export async function groupRejections(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  { isBySender, bucketMs, limit }: { isBySender: boolean; bucketMs: number; limit: number },
): Promise<GroupBucket[]> {
  const sender = isBySender ? bySender : byReason;
  const source =
    filter.requestId === undefined
      ? sql`select outcome as reason, ${sender}, minute, last_at, count from outcome_counts
          where ${countedWithin(workspaceId, filter)} and outcome <> 'accepted'`
      : sql`select reason, ${sender}, at as minute, at as last_at, 1 as count from rejection_entries
          where ${ofRejections(workspaceId, filter)}`;
  return rowsOf(
    db,
    sql<GroupBucket>`
      with rejected as (${source}),
      counted as materialized (
        select reason, surface, form_id, token_id, ${bucketOf(sql`minute`, bucketMs)} as at,
          sum(count)::bigint as count, min(minute) as first_at, max(last_at) as last_at
        from rejected group by 1, 2, 3, 4, 5
      ),
      top as (
        select reason, surface, form_id, token_id, sum(count)::bigint as total, min(first_at) as first_at,
          max(last_at) as last_at, count(*) over () as groups
        from counted group by 1, 2, 3, 4
        order by total desc, reason, surface, form_id, token_id limit ${limit}
      )
      select t.reason, t.surface, t.form_id as "formId", t.token_id as "tokenId", t.total, t.first_at as "firstAt",
        t.last_at as "lastAt", t.groups, c.at, c.count
      from top t join counted c on (c.reason, c.surface, c.form_id, c.token_id)
        is not distinct from (t.reason, t.surface, t.form_id, t.token_id)`,
  );
}
