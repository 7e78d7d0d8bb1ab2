import { sql } from 'kysely';
import type pg from 'pg';
import type { Mark } from '../../domain/lead/mark.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { isLead } from '../sharded.ts';
import { rowsOf, run } from '../sql.ts';

export interface MarkRecord {
  /** Null removes the previous mark. */
  readonly mark: Mark | null;
  readonly markedAt: Date;
  readonly markedBy: string;
}

interface NumberedMark extends MarkRecord {
  readonly number: number;
}

/** The caller holds the lock of the lead, so the number cannot be taken by another call. */
export async function insertMark(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
  { mark, markedAt, markedBy }: MarkRecord,
): Promise<void> {
  await run(
    client,
    sql`
      insert into lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by)
      select ${shardOf(workspaceId)}, ${workspaceId}, ${submissionId}, coalesce(max(number), 0) + 1,
        ${mark}, ${markedAt}, ${markedBy}
      from lead_marks where ${isLead(workspaceId, submissionId)}`,
  );
}

/** Marks with a number below `before`, newest first. */
export async function listMarks(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<NumberedMark[]> {
  const isBefore = before === null ? sql`` : sql`and number < ${before}`;
  return rowsOf(
    db,
    sql<NumberedMark>`
      select number, mark, marked_at as "markedAt", marked_by as "markedBy" from lead_marks
      where ${isLead(workspaceId, submissionId)} ${isBefore}
      order by number desc limit ${limit}`,
  );
}

export async function deleteMarks(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  await run(client, sql`delete from lead_marks where ${isLead(workspaceId, submissionId)}`);
}
