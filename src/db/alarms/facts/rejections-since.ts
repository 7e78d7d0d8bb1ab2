import { sql } from 'kysely';
import type { RejectionsSince } from '../../../domain/alarm/rejections/after-change.ts';
import type { Surface } from '../../../domain/surface.ts';
import { shardOf } from '../../../domain/workspace.ts';
import { dayMs } from '../../../time/clock.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';
import { noToken } from './sources.ts';

export interface RejectionsAsked {
  readonly workspaceId: string;
  /** Null for all sources of the workspace. */
  readonly source: { readonly formId: string; readonly tokenId: string | null } | null;
  readonly surface: Surface;
  readonly reason: string;
  readonly since: Date;
}

type Row = RejectionsSince & { readonly place: number };

const none: RejectionsSince = { before: 0, rejected: 0, proven: 0, firstAt: null, lastAt: null };

/**
 * In the order of what is asked. All are on one node. Counts are per minute: one whose last rejection was before the time
 * counts as before.
 */
export async function readRejectionsSince(
  db: Queryable,
  asked: readonly RejectionsAsked[],
): Promise<RejectionsSince[]> {
  const shards = asked.map(({ workspaceId }) => shardOf(workspaceId));
  // What the join says is repeated as constants, by which the rows are found in the index.
  const from = new Date(Math.min(...asked.map(({ since }) => since.getTime())) - dayMs);
  const isSince = sql`o.last_at > a.since`;
  const rows = await rowsOf(
    db,
    sql<Row>`
      select a.place::int as place,
        coalesce(sum(o.count) filter (where o.last_at <= a.since), 0)::bigint as before,
        coalesce(sum(o.count) filter (where ${isSince}), 0)::bigint as rejected,
        coalesce(sum(o.proven_count) filter (where ${isSince}), 0)::bigint as proven,
        min(greatest(o.minute, a.since)) filter (where ${isSince}) as "firstAt",
        max(o.last_at) filter (where ${isSince}) as "lastAt"
      from unnest(${shards}::smallint[], ${asked.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${asked.map(({ source }) => source?.formId ?? null)}::uuid[],
        ${asked.map(({ source }) => source && (source.tokenId ?? noToken))}::uuid[],
        ${asked.map(({ surface }) => surface)}::text[], ${asked.map(({ reason }) => reason)}::text[],
        ${asked.map(({ since }) => since)}::timestamptz[])
        with ordinality as a (shard, workspace_id, form_id, token_id, surface, reason, since, place)
      join outcome_counts o on (o.shard, o.workspace_id, o.surface, o.outcome)
          = (a.shard, a.workspace_id, a.surface, a.reason)
        and o.minute >= a.since - interval '24 hours'
        and o.form_id = coalesce(a.form_id, o.form_id) and o.token_id = coalesce(a.token_id, o.token_id)
      where o.shard = any (${[...new Set(shards)]}::smallint[]) and o.minute >= ${from}
        and o.workspace_id = any (${[...new Set(asked.map(({ workspaceId }) => workspaceId))]}::uuid[])
        and o.outcome = any (${[...new Set(asked.map(({ reason }) => reason))]}::text[])
      group by a.place`,
  );
  const found = new Map(rows.map(({ place, ...counts }) => [place, counts]));
  return asked.map((_, index) => found.get(index + 1) ?? none);
}
