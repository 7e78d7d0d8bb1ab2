import { type ExpressionBuilder, type InferResult, type SelectQueryBuilder, sql } from 'kysely';
import type { RuleCode } from '../../domain/score/rules.ts';
import { build, type Tables } from '../query-builder.ts';

export type LeadRecord = InferResult<ReturnType<typeof shownLeads>>[number];

/** Nobody here looks into the fields of a lead, and to parse those of a hostile one takes long: they stay text. */
export const fieldsText = sql<string>`leads.fields::text`.as('fields_text');

export const leadColumns = [
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
  sql<number>`octet_length(leads.body)`.as('body_bytes'),
] as const;

type ReadLead = Pick<Tables['leads'], Suffix<Extract<(typeof leadColumns)[number], string>>> & {
  readonly body_bytes: number;
};
type Suffix<Name extends string> = Name extends `leads.${infer Column}` ? Column : never;
type WrittenLead = ReadLead & {
  readonly fields_text: string;
  readonly match_count: number;
  readonly json_bytes: number;
};

export function newestFirst<
  DB extends { leads: Pick<Tables['leads'], 'received_at' | 'submission_id'> },
  Row,
>(query: SelectQueryBuilder<DB, 'leads', Row>) {
  return query.orderBy(sql`leads.received_at desc, leads.submission_id desc`);
}

/** With what stands in other tables. Leads are chosen first, so that these are looked into for the chosen only. */
export function shownLeads<DB, Table extends keyof DB>(chosen: SelectQueryBuilder<DB, Table, WrittenLead>) {
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
      'leads.fields_text as fieldsText',
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
      'leads.match_count as matchCount',
      'leads.json_bytes as jsonBytes',
      mistypedEmail,
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

/** The text of the field in which the scorer found a slip of the pen; null in all but a few leads. */
const mistypedEmail = sql<string | null>`(
  select leads.fields ->> (reason ->> 'field') from jsonb_array_elements(leads.reasons) as reason
  where reason ->> 'code' = 'EMAIL_TYPO' and jsonb_typeof(leads.fields -> (reason ->> 'field')) = 'string' limit 1
)`.as('mistypedEmail');

const lateReason = JSON.stringify([{ code: 'EMAIL_DISPOSABLE_MX' satisfies RuleCode }]);

/**
 * The first leads, up to the one that passes so many bytes. What a lead takes as JSON is known only once it is written,
 * so the length of its body, which is known without reading it, bounds how many are written at all.
 */
export function leadsWithinBytes(chosen: SelectQueryBuilder<Tables, 'leads', ReadLead>, bytesMax: number) {
  const before = sql`order by leads.received_at desc, leads.submission_id desc
    rows between unbounded preceding and 1 preceding`;
  const counted = build
    .selectFrom(chosen.as('leads'))
    .selectAll()
    .select(sql<number>`count(*) over ()`.as('match_count'))
    .select(sql<number>`coalesce(sum(leads.body_bytes) over (${before}), 0)`.as('body_bytes_before'));
  const written = build
    .selectFrom(counted.as('leads'))
    .where('leads.body_bytes_before', '<', bytesMax)
    .selectAll()
    .select([fieldsText, sql<number>`octet_length(leads.reasons::text)`.as('reasons_bytes')]);
  const measured = build
    .selectFrom(written.as('leads'))
    .selectAll()
    .select(sql<number>`octet_length(leads.fields_text) + leads.reasons_bytes`.as('json_bytes'))
    .select(
      sql<number>`coalesce(sum(octet_length(leads.fields_text) + leads.reasons_bytes) over (${before}), 0)`.as(
        'json_bytes_before',
      ),
    );
  return build.selectFrom(measured.as('leads')).where('leads.json_bytes_before', '<', bytesMax).selectAll();
}
