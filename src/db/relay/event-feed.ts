import { sql } from 'kysely';
import type { EventType } from '../../domain/destination/destination.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, rowsOf } from '../sql.ts';

export interface EventRecord {
  readonly number: number;
  readonly type: EventType;
  readonly at: Date;
  readonly submissionId: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Oldest first. A number can only be seen when all smaller ones can, so nobody who continues after one misses any. */
export async function listEvents(
  db: Queryable,
  workspaceId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventRecord[]> {
  return rowsOf(
    db,
    sql<EventRecord>`
      select id as number, type, at, submission_id as "submissionId", data from lead_events
      where ${inWorkspace(workspaceId)} and id > ${after} order by id limit ${limit}`,
  );
}

/** The number of the last event of a workspace; 0 when there is none. */
export async function findLastNumber(db: Queryable, workspaceId: string): Promise<number> {
  const row = await firstRow(
    db,
    sql<{ readonly last: number }>`select last from event_counters where ${inWorkspace(workspaceId)}`,
  );
  return row?.last ?? 0;
}
