import { sql } from 'kysely';
import type pg from 'pg';
import type { Grade, Score, Verdict } from '../../domain/score/score.ts';
import { packReasons, type StoredReason } from '../../domain/score/stored-reasons.ts';
import { fieldsToRead } from '../enrichment/lead-enrichments.ts';
import type { Queryable } from '../pool.ts';
import { areLeads, isLead } from '../sharded.ts';
import { changedBy, firstRow, rowsOf, run } from '../sql.ts';
import { dropBlocks } from './blocks/dropped-blocks.ts';
import { withReasons } from './lead-content.ts';
import { inShardOf, type LeadRef, listOf } from './lead-ref.ts';

/** A lead with its present score. */
export interface LeadToReview extends LeadRef {
  readonly formId: string;
  readonly fields: Record<string, unknown>;
  readonly verdict: Verdict;
  readonly reasons: readonly StoredReason[];
  /** The mail server of its email address. */
  readonly mailServer: string;
}

export interface SecondLook {
  readonly lookedAt: Date;
  readonly provider: string;
  readonly before: ScoreSummary;
  readonly after: ScoreSummary;
  readonly ruleset: string;
}

interface ScoreSummary {
  readonly verdict: Verdict;
  readonly score: number;
  readonly grade: Grade;
  readonly risk: number;
}

/**
 * The leads that were scored clean, have no mark, and whose email address is disposable according to its mail server.
 * Locks them: until the end of the transaction they cannot be marked, erased or reviewed.
 */
export async function lockLeadsToReview(
  client: pg.PoolClient,
  leads: readonly LeadRef[],
): Promise<LeadToReview[]> {
  const rows = await rowsOf(
    client,
    sql<LeadToReview>`
      select l.shard, l.workspace_id as "workspaceId", l.submission_id as "submissionId", l.form_id as "formId",
        ${fieldsToRead} as fields, l.verdict, l.reasons, coalesce(
          jsonb_path_query_first(r.fields, '$[*] ? (@.path == "email.mail_server").value') #>> '{}', '') as "mailServer"
      from ${listOf(leads)}
      join leads l using (shard, workspace_id, submission_id)
      join enrichment_results r using (shard, workspace_id, submission_id)
      where l.verdict = 'clean' and l.scored_verdict is null and r.provider = 'mx'
        and r.fields @> '[{"path": "email.class", "value": "disposable_likely"}]'
        and ${inShardOf(leads, 'l')} and ${inShardOf(leads, 'r')}
      -- Always in the same order, so that two jobs cannot deadlock.
      order by l.shard, l.workspace_id, l.submission_id
      for no key update of l`,
  );
  return rows.map(withReasons);
}

/** The caller holds the lock of the lead. A lead that already had a second look is not changed. */
export async function storeSecondLook(
  client: pg.PoolClient,
  { workspaceId, submissionId }: LeadRef,
  score: Score,
  lookedAt: Date,
): Promise<void> {
  const { verdict, score: points, grade, risk, ruleset } = score;
  const stored = await changedBy(
    client,
    sql`
      insert into lead_second_looks (shard, workspace_id, submission_id, looked_at, provider, verdict_before, score_before,
        grade_before, risk_before, reasons_before, verdict, score, grade, risk, ruleset)
      select shard, workspace_id, submission_id, ${lookedAt}, 'mx', verdict, score, grade, risk, reasons,
        ${verdict}, ${points}, ${grade}, ${risk}, ${ruleset}
      from leads where ${isLead(workspaceId, submissionId)}
      on conflict do nothing`,
  );
  if (stored === 0) return;
  const changed = await firstRow(
    client,
    sql<{ readonly receivedAt: Date }>`
      update leads set verdict = ${verdict}, score = ${points}, grade = ${grade}, risk = ${risk},
        reasons = ${JSON.stringify(packReasons(score))}
      where ${isLead(workspaceId, submissionId)} returning received_at as "receivedAt"`,
  );
  if (changed !== null) await dropBlocks(client, workspaceId, [changed.receivedAt]);
}

export async function findSecondLook(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<SecondLook | null> {
  return firstRow(
    db,
    sql<SecondLook>`
      select looked_at as "lookedAt", provider, ruleset,
        json_build_object('verdict', verdict_before, 'score', score_before, 'grade', grade_before,
          'risk', risk_before) as before,
        json_build_object('verdict', verdict, 'score', score, 'grade', grade, 'risk', risk) as after
      from lead_second_looks where ${isLead(workspaceId, submissionId)}`,
  );
}

export async function deleteSecondLooks(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<void> {
  await run(client, sql`delete from lead_second_looks where ${areLeads(workspaceId, submissionIds)}`);
}
