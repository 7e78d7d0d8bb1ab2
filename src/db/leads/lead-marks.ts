import type pg from 'pg';
import type { Mark } from '../../domain/lead/mark.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';

export interface MarkRecord {
  /** Null takes back the mark before it. */
  readonly mark: Mark | null;
  readonly markedAt: Date;
  readonly markedBy: string;
}

/** The caller holds the lock of the lead, so the number is free. */
export async function insertMark(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
  { mark, markedAt, markedBy }: MarkRecord,
): Promise<void> {
  await client.query(
    `insert into lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by)
     select $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, $6
     from lead_marks where shard = $1 and workspace_id = $2 and submission_id = $3`,
    [shardOf(workspaceId), workspaceId, submissionId, mark, markedAt, markedBy],
  );
}

/** Newest first, those before number `before`. */
export async function listMarks(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<(MarkRecord & { readonly number: number })[]> {
  const { rows } = await db.query(
    `select number, mark, marked_at as "markedAt", marked_by as "markedBy" from lead_marks
     where shard = $1 and workspace_id = $2 and submission_id = $3 and ($4::integer is null or number < $4)
     order by number desc limit $5`,
    [shardOf(workspaceId), workspaceId, submissionId, before, limit],
  );
  return rows;
}

export async function deleteMarks(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  await client.query('delete from lead_marks where shard = $1 and workspace_id = $2 and submission_id = $3', [
    shardOf(workspaceId),
    workspaceId,
    submissionId,
  ]);
}
