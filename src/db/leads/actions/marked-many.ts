import { sql } from 'kysely';
import type pg from 'pg';
import type { Mark } from '../../../domain/lead/mark.ts';
import type { Verdict } from '../../../domain/score/score.ts';
import { shardOf } from '../../../domain/workspace.ts';
import type { Queryable } from '../../pool.ts';
import { areLeads, inWorkspace } from '../../sharded.ts';
import { insertRows, rowsOf, run } from '../../sql.ts';
import type { MarkRecord } from '../lead-marks.ts';

/** A lead as far as its mark depends on it. */
export interface MarkableLead {
  readonly submissionId: string;
  readonly formId: string;
  readonly verdict: Verdict;
  /** Null without a mark. */
  readonly scoredVerdict: Verdict | null;
  /** The newest entry in its history of marks; null if nobody has ever marked it. */
  readonly newest: MarkEntry | null;
  readonly secondNewest: MarkEntry | null;
}

interface MarkEntry {
  readonly number: number;
  readonly mark: Mark | null;
  readonly actionId: string | null;
}

/** Until the end of the transaction, no other call can mark or erase these leads. Those that do not exist are left out. */
export async function lockMarkable(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<MarkableLead[]> {
  const leads = await rowsOf(
    client,
    sql<Omit<MarkableLead, 'newest' | 'secondNewest'>>`
      select submission_id as "submissionId", form_id as "formId", verdict, scored_verdict as "scoredVerdict"
      from leads where ${areLeads(workspaceId, submissionIds)}
      -- Always in the same order, so that two transactions cannot deadlock.
      order by submission_id for no key update`,
  );
  // In a second statement: the first may have waited, and sees other tables as they were before.
  const entries = await rowsOf(
    client,
    sql<MarkEntry & { readonly submissionId: string }>`
      select submission_id as "submissionId", number, mark, action_id as "actionId" from (
        select submission_id, number, mark, action_id,
          row_number() over (partition by submission_id order by number desc) as place
        from lead_marks where ${areLeads(workspaceId, submissionIds)}) as marks
      where place <= 2 order by submission_id, number desc`,
  );
  const ofLeads = Map.groupBy(entries, ({ submissionId }) => submissionId);
  return leads.map((lead) => {
    const [newest = null, secondNewest = null] = ofLeads.get(lead.submissionId) ?? [];
    return { ...lead, newest, secondNewest };
  });
}

export interface NewMark extends MarkRecord {
  readonly submissionId: string;
  readonly number: number;
  /** Of the action that sets it; null if it is set alone. */
  readonly actionId: string | null;
  readonly verdict: Verdict;
  /** The scorer's verdict while a mark is in effect, and null without one. */
  readonly scored: Verdict | null;
}

/** The caller holds the locks of the leads, so the numbers cannot be taken by another call. */
export async function storeMarks(
  client: pg.PoolClient,
  workspaceId: string,
  marks: readonly NewMark[],
): Promise<void> {
  const shard = shardOf(workspaceId);
  await insertRows(
    client,
    'lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by, action_id)',
    marks.map(({ submissionId, number, mark, markedAt, markedBy, actionId }) => [
      shard,
      workspaceId,
      submissionId,
      number,
      mark,
      markedAt,
      markedBy,
      actionId,
    ]),
  );
  const ids = marks.map(({ submissionId }) => submissionId);
  const verdicts = marks.map(({ verdict }) => verdict);
  const scored = marks.map((mark) => mark.scored);
  await run(
    client,
    sql`
      update leads set verdict = m.verdict, scored_verdict = m.scored
      from unnest(${ids}::uuid[], ${verdicts}::text[], ${scored}::text[]) as m (id, verdict, scored)
      where ${inWorkspace(workspaceId)} and submission_id = m.id`,
  );
}

/** The leads that an action has marked, in the order of their IDs. */
export async function listMarkedBy(
  db: Queryable,
  workspaceId: string,
  actionId: string,
  afterId: string | null,
  limit: number,
): Promise<string[]> {
  const isAfter = afterId === null ? sql`` : sql`and submission_id > ${afterId}`;
  const marked = await rowsOf(
    db,
    sql<{ readonly id: string }>`
      select distinct submission_id as id from lead_marks
      where ${inWorkspace(workspaceId)} and action_id = ${actionId} ${isAfter}
      order by submission_id limit ${limit}`,
  );
  return marked.map(({ id }) => id);
}
