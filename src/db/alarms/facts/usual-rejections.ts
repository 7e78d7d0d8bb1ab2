import { sql } from 'kysely';
import { spikeDays } from '../../../domain/alarm/rejections/reject-spike.ts';
import { shardOf } from '../../../domain/workspace.ts';
import { dayMs, hourMs } from '../../../time/clock.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';
import { noToken } from './sources.ts';

export interface RejectingSource {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly reason: string;
}

/** In one hour of the day, on all days together. */
export interface UsualRejections {
  readonly all: number;
  /** Without web pages. Where it was not counted who had proven anything, all are taken for proven. */
  readonly proven: number;
}

/** In the order of the sources, which are on one node. `hour` is that of today; the days before it count. */
export async function readUsualRejections(
  db: Queryable,
  sources: readonly RejectingSource[],
  hour: Date,
): Promise<UsualRejections[]> {
  const workspaceIds = [...new Set(sources.map(({ workspaceId }) => workspaceId))];
  const shards = [...new Set(workspaceIds.map(shardOf))];
  // Each range is looked up in the index. Joined with the hours, all rows of the workspaces would be read.
  const ranges = hoursBefore(hour).map(
    (from) => sql`minute >= ${from} and minute < ${new Date(from.getTime() + hourMs)}`,
  );
  const rows = await rowsOf(
    db,
    sql<UsualRejections & RejectingSource>`
      select workspace_id as "workspaceId", form_id as "formId", nullif(token_id, ${noToken}::uuid) as "tokenId",
        outcome as reason, sum(count)::bigint as all,
        coalesce(sum(coalesce(proven_count, count)) filter (where surface <> 'browser'), 0)::bigint as proven
      from outcome_counts
      where shard = any (${shards}::smallint[]) and workspace_id = any (${workspaceIds}::uuid[])
        and outcome = any (${[...new Set(sources.map(({ reason }) => reason))]}::text[])
        and (${sql.join(ranges, sql` or `)})
      group by workspace_id, form_id, token_id, outcome`,
  );
  const keyOf = ({ workspaceId, formId, tokenId, reason }: RejectingSource) =>
    [workspaceId, formId, tokenId, reason].join();
  const found = new Map(rows.map((row) => [keyOf(row), { all: row.all, proven: row.proven }]));
  return sources.map((source) => found.get(keyOf(source)) ?? { all: 0, proven: 0 });
}

/** The same for requests that belong to no workspace, by reason. */
export async function readUsualUnattributed(db: Queryable, hour: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf(
    db,
    sql<{ readonly reason: string; readonly count: number }>`
      select u.reason, sum(u.count)::bigint as count
      from unnest(${hoursBefore(hour)}::timestamptz[]) as a (hour)
      join unattributed_counts u on u.minute >= a.hour and u.minute < a.hour + interval '1 hour'
      group by u.reason`,
  );
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

function hoursBefore(hour: Date): Date[] {
  return Array.from({ length: spikeDays }, (_, day) => new Date(hour.getTime() - (day + 1) * dayMs));
}
