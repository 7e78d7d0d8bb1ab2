import { sql } from 'kysely';
import { driftBuckets, sumOfDrifts } from '../../domain/alarm/drift/drift-buckets.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { type CountedTable, type InsertCounts, onlyRow, rowsOf } from '../sql.ts';

/** Correctly signed requests of one form and minute, by the distance of their signed times from ours. */
export interface ClockDrift {
  readonly shard: number;
  readonly workspaceId: string;
  readonly formId: string;
  readonly minute: string;
  readonly buckets: readonly number[];
}

/** PostgreSQL counts from 1. */
const places = Array.from({ length: driftBuckets }, (_, at) => at + 1);
const bothAdded = places.map((place) => `d.buckets[${place}] + excluded.buckets[${place}]`).join();

const table: CountedTable = {
  into: 'clock_drifts as d',
  columns: {
    shard: 'smallint',
    workspace_id: 'uuid',
    form_id: 'uuid',
    minute: 'timestamptz',
    buckets: 'int[]',
  },
  after: `on conflict (shard, workspace_id, form_id, minute) do update set buckets = array[${bothAdded}]`,
};

// Summed up, because a form that changed within the minute appears twice and one statement cannot update a row twice.
export async function addClockDrifts(
  db: Queryable,
  drifts: readonly ClockDrift[],
  insert: InsertCounts,
): Promise<void> {
  const sameRow = Map.groupBy(drifts, (drift) => `${drift.workspaceId} ${drift.formId} ${drift.minute}`);
  const rows = [...sameRow].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => rowOf(same));
  await insert(db, table, rows);
}

function rowOf(same: readonly ClockDrift[]): unknown[] {
  const { shard, workspaceId, formId, minute } = same[0] as ClockDrift;
  return [shard, workspaceId, formId, minute, sumOfDrifts(same.map(({ buckets }) => buckets))];
}

export interface HourOfDrifts {
  /** The start of the hour. */
  readonly at: Date;
  readonly buckets: readonly number[];
}

const summed = sql.raw(`array[${places.map((place) => `sum(buckets[${place}])::int`).join()}]`);

/** Only hours with requests, oldest first. */
export async function listHoursOfDrifts(
  db: Queryable,
  workspaceId: string,
  formId: string,
  since: Date,
): Promise<HourOfDrifts[]> {
  return rowsOf(
    db,
    sql<HourOfDrifts>`
      select date_trunc('hour', minute, 'UTC') as at, ${summed} as buckets from clock_drifts
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and minute >= ${since}
      group by 1 order by 1`,
  );
}

export interface FormRef {
  readonly workspaceId: string;
  readonly formId: string;
}

/** Forms with a request in one of the given buckets. The shards are on one node. */
export async function listFormsWithDrift(
  db: Queryable,
  shards: readonly number[],
  since: Date,
  buckets: readonly number[],
): Promise<FormRef[]> {
  const requests = sql.raw(buckets.map((bucket) => `buckets[${bucket + 1}]`).join(' + '));
  return rowsOf(
    db,
    sql<FormRef>`
      select distinct workspace_id as "workspaceId", form_id as "formId" from clock_drifts
      where shard = any (${shards}::smallint[]) and minute >= ${since} and ${requests} > 0`,
  );
}

export interface RecentDrifts {
  readonly buckets: readonly number[];
  /** Null if there was no request since the earlier of the two times. */
  readonly lastAt: Date | null;
}

/** The requests of a form since one time, and whether there was one since another, earlier one. */
export async function readRecentDrifts(
  db: Queryable,
  { workspaceId, formId }: FormRef,
  since: Date,
  lookBackTo: Date,
): Promise<RecentDrifts> {
  const recent = sql.join(
    places.map(
      (place) => sql`coalesce(sum(buckets[${sql.lit(place)}]) filter (where minute >= ${since}), 0)::int`,
    ),
  );
  return onlyRow(
    db,
    sql<RecentDrifts>`
      select array[${recent}] as buckets, max(minute) as "lastAt" from clock_drifts
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and minute >= ${lookBackTo}`,
  );
}
