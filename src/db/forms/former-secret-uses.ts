import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { insertRows, onlyRow } from '../sql.ts';

/** Leads of one minute that were signed with the previous secret. */
export interface FormerSecretUse {
  readonly shard: number;
  readonly workspaceId: string;
  readonly formId: string;
  readonly overlapEndsAt: string;
  readonly minute: string;
  readonly count: number;
  readonly lastAt: string;
}

// Summed up, because a form that changed within the minute appears twice and one statement cannot update a row twice.
export async function addFormerSecretUses(db: Queryable, uses: readonly FormerSecretUse[]): Promise<void> {
  const sameRow = Map.groupBy(
    uses,
    (use) => `${use.workspaceId} ${use.formId} ${use.overlapEndsAt} ${use.minute}`,
  );
  const rows = [...sameRow].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => rowOf(same));
  await insertRows(
    db,
    'former_secret_uses as u (shard, workspace_id, form_id, overlap_ends_at, minute, count, last_at)',
    rows,
    `on conflict (shard, workspace_id, form_id, overlap_ends_at, minute)
      do update set count = u.count + excluded.count, last_at = greatest(u.last_at, excluded.last_at)`,
  );
}

function rowOf(same: readonly FormerSecretUse[]): unknown[] {
  const { shard, workspaceId, formId, overlapEndsAt, minute } = same[0] as FormerSecretUse;
  const count = same.reduce((sum, use) => sum + use.count, 0);
  const lastAt = same
    .map((use) => use.lastAt)
    .toSorted()
    .at(-1);
  return [shard, workspaceId, formId, overlapEndsAt, minute, count, lastAt];
}

export interface FormerSecretCounts {
  /** Since the rotation. */
  readonly total: number;
  /** Since the given minute. */
  readonly recent: number;
  readonly lastAt: Date | null;
  /** All webhook leads of the form since the given minute. */
  readonly recentLeads: number;
}

/** How often the previous secret was used in the overlap that ends at the given time. */
export async function countFormerSecretUses(
  db: Queryable,
  workspaceId: string,
  formId: string,
  overlapEndsAt: Date,
  since: Date,
): Promise<FormerSecretCounts> {
  const ofForm = sql`${inWorkspace(workspaceId)} and form_id = ${formId}`;
  const isRecent = sql`minute >= date_trunc('minute', ${since}::timestamptz)`;
  return onlyRow(
    db,
    sql<FormerSecretCounts>`select coalesce(sum(count), 0)::bigint as total, max(last_at) as "lastAt",
        coalesce(sum(count) filter (where ${isRecent}), 0)::bigint as recent,
        (select coalesce(sum(count), 0)::bigint from outcome_counts
         where ${ofForm} and surface = 'webhook' and outcome = 'accepted' and ${isRecent}) as "recentLeads"
      from former_secret_uses where ${ofForm} and overlap_ends_at = ${overlapEndsAt}`,
  );
}
