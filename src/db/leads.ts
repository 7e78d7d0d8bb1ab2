import { type ExpressionBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Verdict } from '../domain/score/score.ts';
import { shardOf } from '../domain/workspace.ts';
import type { PageRequest } from './keyset.ts';
import { filteredLeads, type LeadFilter } from './lead-filter.ts';
import { inTransaction, type Queryable } from './pool.ts';
import { build, rowsOf, type Tables } from './query-builder.ts';

export type LeadRecord = Awaited<ReturnType<typeof listLeads>>[number];

export async function listLeads(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  { after, limit }: PageRequest,
) {
  let query = leadRows(workspaceId, filter)
    .orderBy('leads.received_at', 'desc')
    .orderBy('leads.submission_id', 'desc')
    .limit(limit);
  if (after !== null) {
    query = query.where(
      sql<boolean>`(leads.received_at, leads.submission_id) < (${after.at}, ${after.id}::uuid)`,
    );
  }
  return rowsOf(db, query);
}

export async function findLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<LeadRecord | null> {
  const query = leadRows(workspaceId, { fieldValues: new Map() }).where(
    'leads.submission_id',
    '=',
    submissionId,
  );
  return (await rowsOf(db, query))[0] ?? null;
}

export async function findLeadBody(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const { rows } = await db.query(
    'select body from leads where shard = $1 and workspace_id = $2 and submission_id = $3',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rows[0]?.body ?? null;
}

const keySearchTimeout = '10min';

/** The top-level keys of all matching leads, the most frequent first. */
export async function listFieldKeys(
  pool: pg.Pool,
  workspaceId: string,
  filter: LeadFilter,
  keysMax: number,
): Promise<string[]> {
  const keys = filteredLeads(workspaceId, filter).select(
    sql<string>`jsonb_object_keys(leads.fields)`.as('key'),
  );
  const query = build
    .selectFrom(keys.as('keys'))
    .select('key')
    .groupBy('key')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('key')
    .limit(keysMax);
  return inTransaction(pool, async (client) => {
    // It reads every matching lead, so it may take longer than anything else we ask.
    await client.query(`set local statement_timeout = '${keySearchTimeout}'`);
    return (await rowsOf(client, query)).map(({ key }) => key);
  });
}

/**
 * Until the end of the transaction nobody else can mark or erase the lead; false when there is none. What is to be
 * decided on is read after it: this statement may have waited, and saw the other tables as they were before.
 */
export async function lockLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from leads where shard = $1 and workspace_id = $2 and submission_id = $3 for no key update',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rowCount === 1;
}

/** `scored` is the scorer's verdict while a mark is in force, and null without one. */
export async function updateVerdict(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
  { verdict, scored }: { readonly verdict: Verdict; readonly scored: Verdict | null },
): Promise<void> {
  await client.query(
    `update leads set verdict = $4, scored_verdict = $5
     where shard = $1 and workspace_id = $2 and submission_id = $3`,
    [shardOf(workspaceId), workspaceId, submissionId, verdict, scored],
  );
}

/** False when there is no such lead. */
export async function deleteLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from leads where shard = $1 and workspace_id = $2 and submission_id = $3',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rowCount === 1;
}

function leadRows(workspaceId: string, filter: LeadFilter) {
  return filteredLeads(workspaceId, filter)
    .leftJoin('lead_enrichments as enrichment', (join) =>
      join
        .onRef('enrichment.shard', '=', 'leads.shard')
        .onRef('enrichment.workspace_id', '=', 'leads.workspace_id')
        .onRef('enrichment.submission_id', '=', 'leads.submission_id'),
    )
    .leftJoinLateral(newestMark, (join) => join.onTrue())
    .select([
      'leads.submission_id as submissionId',
      'leads.form_id as formId',
      'leads.surface',
      'leads.received_at as receivedAt',
      'leads.fields',
      'leads.score',
      'leads.grade',
      'leads.risk',
      'leads.verdict',
      'leads.scored_verdict as scoredVerdict',
      'mark.mark',
      'mark.marked_at as markedAt',
      'mark.marked_by as markedBy',
      'leads.reasons',
      'leads.ruleset',
      'enrichment.enriched_at as enrichedAt',
      'enrichment.data as enrichment',
    ]);
}

/** The condition on the lead spares those without a mark, nearly all, the look into the table of marks. */
function newestMark(leads: ExpressionBuilder<Tables, 'leads'>) {
  return leads
    .selectFrom('lead_marks')
    .select(['lead_marks.mark', 'lead_marks.marked_at', 'lead_marks.marked_by'])
    .where('leads.scored_verdict', 'is not', null)
    .whereRef('lead_marks.shard', '=', 'leads.shard')
    .whereRef('lead_marks.workspace_id', '=', 'leads.workspace_id')
    .whereRef('lead_marks.submission_id', '=', 'leads.submission_id')
    .orderBy('lead_marks.number', 'desc')
    .limit(1)
    .as('mark');
}
