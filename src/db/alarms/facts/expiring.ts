import { sql } from 'kysely';
import { shardOf } from '../../../domain/workspace.ts';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

/** When the successors of these tokens were created, by the id of the token that was replaced. */
export async function readReplacements(
  db: Queryable,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await rowsOf(
    db,
    sql<{ readonly id: string; readonly at: Date }>`
      select t.id, s.created_at as at from tokens t join tokens s on s.id = t.replaced_by
      where t.id = any (${tokenIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

export interface Overlap {
  readonly workspaceId: string;
  readonly formId: string;
  readonly endsAt: Date;
}

/** Former secrets that are valid until a time in this range. */
export async function listEndingOverlaps(db: Queryable, now: Date, until: Date): Promise<Overlap[]> {
  return rowsOf(
    db,
    sql<Overlap>`
      select workspace_id as "workspaceId", form_id as "formId", previous_valid_until as "endsAt"
      from webhook_secrets
      where previous_valid_until > ${now} and previous_valid_until <= ${until} and previous_ciphertext is not null`,
  );
}

/** When the former secret was last used in each of these overlaps, in their order; null for never. All are on one node. */
export async function readOverlapUses(db: Queryable, overlaps: readonly Overlap[]): Promise<(Date | null)[]> {
  const shards = overlaps.map(({ workspaceId }) => shardOf(workspaceId));
  const rows = await rowsOf(
    db,
    sql<{ readonly place: number; readonly at: Date }>`
      select s.place::int as place, max(u.last_at) as at
      from unnest(${shards}::smallint[], ${overlaps.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${overlaps.map(({ formId }) => formId)}::uuid[], ${overlaps.map(({ endsAt }) => endsAt)}::timestamptz[])
        with ordinality as s (shard, workspace_id, form_id, ends_at, place)
      join former_secret_uses u on (u.shard, u.workspace_id, u.form_id, u.overlap_ends_at)
        = (s.shard, s.workspace_id, s.form_id, s.ends_at)
      where u.shard = any (${[...new Set(shards)]}::smallint[])
      group by s.place`,
  );
  const found = new Map(rows.map(({ place, at }) => [place, at]));
  return overlaps.map((_, index) => found.get(index + 1) ?? null);
}
