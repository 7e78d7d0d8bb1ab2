import { sql } from 'kysely';
import type { Surface } from '../../domain/surface.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';

export interface UnattributedTotal {
  readonly surface: Surface;
  readonly reason: string;
  readonly count: number;
  readonly lastAt: Date;
}

export async function countUnattributed(db: Queryable, from: Date, to: Date): Promise<UnattributedTotal[]> {
  return rowsOf(
    db,
    sql<UnattributedTotal>`
      select surface, reason, sum(count)::bigint as count, max(last_at) as "lastAt" from unattributed_counts
      where minute >= date_trunc('minute', ${from}::timestamptz) and minute < ${to}
      group by surface, reason`,
  );
}
