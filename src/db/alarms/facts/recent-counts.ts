import { sql } from 'kysely';
import type pg from 'pg';
import type { Surface } from '../../../domain/surface.ts';
import { minuteMs } from '../../../time/clock.ts';
import { inTransaction } from '../../pool.ts';
import { rowsOf, run } from '../../sql.ts';
import { noToken } from './sources.ts';

/** As judged: see RecentCounts in src/alarms/rule.ts. */
interface CountedSource {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
  readonly outcome: string;
  readonly in10Minutes: Counted;
  readonly in30Minutes: Counted;
  readonly in60Minutes: Counted;
  readonly lastAt: Date;
}

interface Counted {
  readonly count: number;
  readonly proven: number;
  readonly spam: number;
}

type Window = 10 | 30 | 60;
type Row = Omit<CountedSource, 'in10Minutes' | 'in30Minutes' | 'in60Minutes'> &
  Record<`${'count' | 'proven' | 'spam'}${Window}`, number>;

/**
 * What was counted in the last hour, for the shards of one node. Counts are per minute: a minute belongs to a window if it
 * began within it. Minutes of an earlier version have neither proven nor spam counts; those count as none.
 */
export async function readRecentCounts(
  pool: pg.Pool,
  shards: readonly number[],
  now: Date,
): Promise<CountedSource[]> {
  return inTransaction(pool, async (client) => {
    // Far more groups are expected than there are, and too little memory for them would mean to sort all rows.
    await run(client, sql`set local work_mem = '32MB'`);
    return (await rowsOf(client, recentCounts(shards, now))).map(countedSource);
  });
}

/** As floating-point numbers: sums of bigint are numeric, which takes longer, and counts stay far below 2^53. */
function recentCounts(shards: readonly number[], now: Date) {
  const windows = {
    10: sql`minute >= ${ago(now, 10)}`,
    30: sql`minute >= ${ago(now, 30)}`,
  };
  return sql<Row>`
    select workspace_id as "workspaceId", form_id as "formId", nullif(token_id, ${noToken}::uuid) as "tokenId",
      surface, outcome,
      sum(count::float8) filter (where ${windows[10]}) as count10,
      sum(count::float8) filter (where ${windows[30]}) as count30,
      sum(count::float8) as count60,
      sum(proven_count::float8) filter (where ${windows[10]}) as proven10,
      sum(proven_count::float8) filter (where ${windows[30]}) as proven30,
      sum(proven_count::float8) as proven60,
      sum(spam_count::float8) filter (where ${windows[10]}) as spam10,
      sum(spam_count::float8) filter (where ${windows[30]}) as spam30,
      sum(spam_count::float8) as spam60,
      max(last_at) as "lastAt"
    from outcome_counts
    where shard = any (${shards}::smallint[]) and minute >= ${ago(now, 60)}
    group by workspace_id, form_id, token_id, surface, outcome`;
}

function ago(now: Date, minutes: Window): Date {
  return new Date(now.getTime() - minutes * minuteMs);
}

function countedSource(row: Row): CountedSource {
  const { workspaceId, formId, tokenId, surface, outcome, lastAt } = row;
  const counted = (minutes: Window): Counted => ({
    count: row[`count${minutes}`] ?? 0,
    proven: row[`proven${minutes}`] ?? 0,
    spam: row[`spam${minutes}`] ?? 0,
  });
  return {
    ...{ workspaceId, formId, tokenId, surface, outcome },
    in10Minutes: counted(10),
    in30Minutes: counted(30),
    in60Minutes: counted(60),
    lastAt,
  };
}
