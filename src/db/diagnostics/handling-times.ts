import { sql } from 'kysely';
import { handlingBuckets, sumOfTimes } from '../../domain/diagnostics/handling-times.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { type CountedTable, type InsertCounts, onlyRow } from '../sql.ts';

/** The requests of a workspace and minute, by how long their responses took. */
export interface HandlingTimes {
  readonly shard: number;
  readonly workspaceId: string;
  readonly minute: string;
  readonly buckets: readonly number[];
}

/** PostgreSQL counts from 1. */
const places = Array.from({ length: handlingBuckets }, (_, at) => at + 1);
const bothAdded = places.map((place) => `t.buckets[${place}] + excluded.buckets[${place}]`).join();

const table: CountedTable = {
  into: 'handling_times as t',
  columns: { shard: 'smallint', workspace_id: 'uuid', minute: 'timestamptz', buckets: 'int[]' },
  after: `on conflict (shard, workspace_id, minute) do update set buckets = array[${bothAdded}]`,
};

// Sorted, so that two instances cannot deadlock.
export async function addHandlingTimes(
  db: Queryable,
  times: readonly HandlingTimes[],
  insert: InsertCounts,
): Promise<void> {
  const rows = times.map(({ shard, workspaceId, minute, buckets }) => ({
    key: `${workspaceId} ${minute}`,
    values: [shard, workspaceId, minute, buckets],
  }));
  await insert(
    db,
    table,
    rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ values }) => values),
  );
}

// As double precision, because the driver reads a list of bigint as texts.
const summed = sql.raw(
  `array[${places.map((place) => `coalesce(sum(buckets[${place}]), 0)::double precision`).join()}]`,
);

/** All requests of the range; whole minutes, as they are stored. */
export async function readHandlingTimes(
  db: Queryable,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<readonly number[]> {
  const { buckets } = await onlyRow(
    db,
    sql<{ buckets: number[] }>`
      select ${summed} as buckets from handling_times
      where ${inWorkspace(workspaceId)}
        and minute >= date_trunc('minute', ${from}::timestamptz) and minute < ${to}`,
  );
  return sumOfTimes([buckets]);
}
