import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { RuleCode } from '../domain/score/rules.ts';
import type { Verdict } from '../domain/score/score.ts';
import { shardOf } from '../domain/workspace.ts';
import type { Position } from './keyset.ts';
import {
  contentConditions,
  type LeadFilter,
  leadsWithin,
  readsEachLead,
  type Stretch,
} from './lead-filter.ts';
import type { Queryable } from './pool.ts';
import { build, rowsOf, type Tables } from './query-builder.ts';

export type LeadRecord = Awaited<ReturnType<typeof findLeads>>[number];

export interface LeadStretch extends Stretch {
  /** How many of the matching leads are wanted. */
  readonly limit: number;
  /** How many leads may be read to find them. */
  readonly readMax: number;
}

/** Those that match among the leads of a stretch, newest first, without reading more of them than allowed. */
export async function findLeads(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: LeadStretch,
) {
  const conditions = contentConditions(workspaceId, filter);
  const readsEach = readsEachLead(filter);
  let read = newestFirst(leadsWithin(workspaceId, filter, stretch))
    .select(leadColumns)
    .limit(readsEach ? stretch.readMax : stretch.limit);
  if (!readsEach) for (const condition of conditions) read = read.where(condition);
  let page = newestFirst(build.selectFrom(read.as('leads')).selectAll());
  if (readsEach) for (const condition of conditions) page = page.where(condition);
  return rowsOf(db, newestFirst(shownLeads(page.limit(stretch.limit))));
}

/** The place of the last of so many leads of a stretch, whatever they say; null when there are not as many. */
export async function findPlace(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  { readMax, ...stretch }: LeadStretch,
): Promise<Position | null> {
  const query = newestFirst(leadsWithin(workspaceId, filter, stretch))
    .select(['leads.received_at as at', 'leads.submission_id as id'])
    .offset(readMax - 1)
    .limit(1);
  return (await rowsOf(db, query))[0] ?? null;
}

/** When the oldest lead of a workspace was received. */
export async function findOldestTime(db: Queryable, workspaceId: string): Promise<Date | null> {
  const { rows } = await db.query(
    `select received_at as at from leads where shard = $1 and workspace_id = $2
     order by received_at, submission_id limit 1`,
    [shardOf(workspaceId), workspaceId],
  );
  return rows[0]?.at ?? null;
}

export async function findLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<LeadRecord | null> {
  const one = build
    .selectFrom('leads')
    .select(leadColumns)
    .where('leads.shard', '=', shardOf(workspaceId))
    .where('leads.workspace_id', '=', workspaceId)
    .where('leads.submission_id', '=', submissionId);
  return (await rowsOf(db, shownLeads(one)))[0] ?? null;
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

/** The token that a lead came in with; null for one that was signed, and when there is no such lead. */
export async function findArrival(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<{ readonly id: string; readonly name: string | null } | null> {
  const { rows } = await db.query(
    `select l.token_id as id, t.name from leads l
     left join tokens t on t.id = l.token_id and t.workspace_id = l.workspace_id
     where l.shard = $1 and l.workspace_id = $2 and l.submission_id = $3 and l.token_id is not null`,
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rows[0] ?? null;
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

const leadColumns = [
  'leads.shard',
  'leads.workspace_id',
  'leads.submission_id',
  'leads.form_id',
  'leads.surface',
  'leads.received_at',
  'leads.fields',
  'leads.score',
  'leads.grade',
  'leads.risk',
  'leads.verdict',
  'leads.scored_verdict',
  'leads.reasons',
  'leads.ruleset',
] as const;

type ReadLead = Pick<Tables['leads'], Suffix<(typeof leadColumns)[number]>>;
type Suffix<Name extends string> = Name extends `leads.${infer Column}` ? Column : never;

function newestFirst<DB extends { leads: ReadLead }, Row>(query: SelectQueryBuilder<DB, 'leads', Row>) {
  return query.orderBy(sql`leads.received_at desc, leads.submission_id desc`);
}

/** With what stands in other tables. Leads are chosen first, so that these are looked into for the chosen only. */
function shownLeads(chosen: SelectQueryBuilder<Tables, 'leads', ReadLead>) {
  return build
    .selectFrom(chosen.as('leads'))
    .leftJoin('lead_enrichments as enrichment', (join) =>
      join
        .onRef('enrichment.shard', '=', 'leads.shard')
        .onRef('enrichment.workspace_id', '=', 'leads.workspace_id')
        .onRef('enrichment.submission_id', '=', 'leads.submission_id'),
    )
    .leftJoinLateral(newestMark, (join) => join.onTrue())
    .leftJoinLateral(secondLook, (join) => join.onTrue())
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
      'look.looked_at as lookedAt',
      'look.provider as lookedBy',
      'look.verdict_before as verdictBefore',
      'look.risk_before as riskBefore',
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

/** A second look leaves a reason; leads without it, nearly all, are spared the look into the table. */
function secondLook(leads: ExpressionBuilder<Tables, 'leads'>) {
  return leads
    .selectFrom('lead_second_looks')
    .select([
      'lead_second_looks.looked_at',
      'lead_second_looks.provider',
      'lead_second_looks.verdict_before',
      'lead_second_looks.risk_before',
    ])
    .where(sql<boolean>`leads.reasons @> ${lateReason}::jsonb`)
    .whereRef('lead_second_looks.shard', '=', 'leads.shard')
    .whereRef('lead_second_looks.workspace_id', '=', 'leads.workspace_id')
    .whereRef('lead_second_looks.submission_id', '=', 'leads.submission_id')
    .as('look');
}

const lateReason = JSON.stringify([{ code: 'EMAIL_DISPOSABLE_MX' satisfies RuleCode }]);
