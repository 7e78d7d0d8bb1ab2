import type { Surface } from '../../domain/surface.ts';
import type { Queryable } from '../pool.ts';

export interface UnattributedTotal {
  readonly surface: Surface;
  readonly reason: string;
  readonly count: number;
  readonly lastAt: Date;
}

export async function countUnattributed(db: Queryable, from: Date, to: Date): Promise<UnattributedTotal[]> {
  const { rows } = await db.query(
    `select surface, reason, sum(count)::bigint as count, max(last_at) as "lastAt" from unattributed_counts
     where minute >= date_trunc('minute', $1::timestamptz) and minute < $2
     group by surface, reason`,
    [from, to],
  );
  return rows;
}
