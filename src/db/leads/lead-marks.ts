import { sql } from 'kysely';
import type pg from 'pg';
import type { Mark } from '../../domain/lead/mark.ts';
import type { Queryable } from '../pool.ts';
import { areLeads, isLead } from '../sharded.ts';
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
  submissionIds: readonly string[],
): Promise<void> {
  await run(client, sql`delete from lead_marks where ${areLeads(workspaceId, submissionIds)}`);
}
