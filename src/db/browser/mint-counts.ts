import type { Queryable } from '../pool.ts';
import { insertRows } from '../sql.ts';

/** How often a step of a form was taken in a minute by pages of an origin. */
export interface MintCount {
  readonly shard: number;
  readonly workspaceId: string;
  readonly formId: string;
  /** When it began. */
  readonly minute: number;
  readonly origin: string;
  readonly step: string;
  count: number;
  lastAt: number;
}

/** Where the counts of some shards are written. An object stands for the same place permanently. */
export interface MintCountPart {
  /** Adds them once, however often they are sent under the same sequence number. */
  addMintCounts(
    instanceId: string,
    sequence: number,
    now: number,
    counts: readonly MintCount[],
  ): Promise<void>;
}

// Sorted, so that two instances cannot deadlock.
export async function addMintCounts(db: Queryable, counts: readonly MintCount[]): Promise<void> {
  const rows = counts.map(({ shard, workspaceId, formId, minute, origin, step, count, lastAt }) => ({
    key: `${workspaceId} ${formId} ${minute} ${origin} ${step}`,
    values: [shard, workspaceId, formId, new Date(minute), origin, step, count, new Date(lastAt)],
  }));
  await insertRows(
    db,
    'mint_counts as c (shard, workspace_id, form_id, minute, origin, step, count, last_at)',
    rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ values }) => values),
    `on conflict (shard, workspace_id, form_id, minute, origin, step)
      do update set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`,
  );
}
