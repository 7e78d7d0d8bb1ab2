import { sql } from 'kysely';
import type { Surface } from '../../domain/surface.ts';
import type { Queryable } from '../pool.ts';
import { plainList, type Rest, rowsOf, run, runPrepared } from '../sql.ts';
import type { UnattributedTotal } from './unattributed.ts';

/** Rejected requests without a workspace, of one flush, surface and reason. */
export interface UnattributedRequests {
  readonly surface: Surface;
  readonly reason: string;
  readonly firstAt: string;
  readonly requestIds: readonly string[];
  /** When each of them came, in milliseconds after the first. */
  readonly afterMs: readonly number[];
}

/** How many are kept at least, the newest. */
export const unattributedRequestsKept = 50_000;

/** To write more at once would hold up requests. */
const idsPerRowMax = 2_000;

export async function insertUnattributedRequests(
  db: Queryable,
  requests: readonly UnattributedRequests[],
  rest: Rest,
): Promise<void> {
  for (const { surface, reason, firstAt, requestIds, afterMs } of requests)
    for (let start = 0; start < requestIds.length; start += idsPerRowMax) {
      const ids = requestIds.slice(start, start + idsPerRowMax);
      const after = plainList(afterMs.slice(start, start + idsPerRowMax));
      await runPrepared(
        db,
        `insert into unattributed_requests (surface, reason, count, first_at, request_ids, after_ms)
          values ($1, $2, $3, $4, $5, $6)`,
        [surface, reason, ids.length, firstAt, plainList(ids), after],
      );
      await rest();
    }
}

/** The request with this ID: none, or one. */
export async function countUnattributedRequest(
  db: Queryable,
  requestId: string,
  from: Date,
  to: Date,
): Promise<UnattributedTotal[]> {
  return rowsOf(
    db,
    sql<UnattributedTotal>`
      select surface, reason, 1 as count, at as "lastAt"
      from unattributed_requests cross join lateral array_position(request_ids, ${requestId}::uuid) as place
      cross join lateral (select first_at + after_ms[place] * interval '1 millisecond' as at) as found
      where place is not null and at >= ${from} and at < ${to}`,
  );
}

export async function deleteOldUnattributedRequests(db: Queryable): Promise<void> {
  await run(
    db,
    sql`delete from unattributed_requests where id <= (
      select max(id) from (
        select id, sum(count) over (order by id desc) - count as newer from unattributed_requests) as counted
      where newer >= ${unattributedRequestsKept})`,
  );
}
