import { type RawBuilder, sql } from 'kysely';
import type { EnrichmentView } from '../../domain/enrichment/view.ts';
import type { Mark } from '../../domain/lead/mark.ts';
import type { RuleCode } from '../../domain/score/rules.ts';
import type { Grade, Verdict } from '../../domain/score/score.ts';
import type { StoredReason } from '../../domain/score/stored-reasons.ts';
import type { Surface } from '../../domain/surface.ts';
import { fieldsOf } from './lead-content.ts';

/** A lead as a list shows it. */
export interface ListedLeadRecord {
  readonly submissionId: string;
  readonly formId: string;
  readonly surface: Surface;
  readonly receivedAt: Date;
  readonly fieldsText: string;
  readonly score: number;
  readonly grade: Grade;
  readonly risk: number;
  readonly verdict: Verdict;
  readonly scoredVerdict: Verdict | null;
  /** Null without a mark, like the next two. */
  readonly mark: Mark | null;
  readonly markedAt: Date | null;
  readonly markedBy: string | null;
  readonly reasons: StoredReason[];
  readonly ruleset: string;
  /** Null without a second look, like the next three. */
  readonly lookedAt: Date | null;
  readonly lookedBy: string | null;
  readonly verdictBefore: Verdict | null;
  readonly riskBefore: number | null;
  readonly enrichedAt: Date | null;
  readonly enrichment: Pick<EnrichmentView, 'status' | 'email'> | null;
  /** How many leads in the stretch match. */
  readonly matchCount: number;
  readonly jsonBytes: number;
  /** The value in which the scorer found a typo; null in nearly all leads. */
  readonly mistypedEmail: string | null;
}

/** A lead as it is shown whole. */
export interface LeadRecord extends ListedLeadRecord {
  readonly enrichment: EnrichmentView | null;
}

/** Kept as text: the fields are only passed on, and parsing those of a hostile lead takes long. */
export const fieldsText = sql`${fieldsOf('leads')}::text as fields_text`;

/** What the columns of a lead are shown from, with its place from these rows. The body is only read for leads that are shown. */
export const leadColumnsAt = (
  place: 'leads' | 'place',
) => sql`leads.shard, leads.workspace_id, ${sql.ref(`${place}.submission_id`)}, leads.form_id, leads.surface,
  ${sql.ref(`${place}.received_at`)}, leads.fields, leads.body, leads.score, leads.grade, leads.risk, leads.verdict,
  leads.scored_verdict, leads.reasons, leads.ruleset, octet_length(leads.body) as body_bytes`;
export const leadColumns = leadColumnsAt('leads');

/** What is read of the chosen leads, all of which are in one shard. */
export type ShownLeads<Row extends ListedLeadRecord> = (
  chosen: RawBuilder<unknown>,
  shard: number,
) => RawBuilder<Row>;

export const wholeLeads: ShownLeads<LeadRecord> = (chosen, shard) =>
  shownLeads(chosen, shard, sql`enrichment.data`);

/** An enrichment is several times the size of its lead, so a list gets only what it shows of it. */
export const listedLeads: ShownLeads<ListedLeadRecord> = (chosen, shard) =>
  shownLeads(
    chosen,
    shard,
    sql`case when enrichment.data is not null then jsonb_build_object(
      'status', enrichment.data -> 'status', 'email', enrichment.data -> 'email') end`,
  );

/**
 * Joins other tables. The leads are chosen first, so that only the rows of chosen leads are read there. Each table is asked
 * for the same shard by its number, so that on Citus the whole statement runs on the node of that shard.
 */
function shownLeads<Row extends ListedLeadRecord>(
  chosen: RawBuilder<unknown>,
  shard: number,
  enrichment: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`
    select leads.submission_id as "submissionId", leads.form_id as "formId", leads.surface,
      leads.received_at as "receivedAt", leads.fields_text as "fieldsText", leads.score, leads.grade, leads.risk,
      leads.verdict, leads.scored_verdict as "scoredVerdict", mark.mark, mark.marked_at as "markedAt",
      mark.marked_by as "markedBy", leads.reasons, leads.ruleset, look.looked_at as "lookedAt",
      look.provider as "lookedBy", look.verdict_before as "verdictBefore", look.risk_before as "riskBefore",
      enrichment.enriched_at as "enrichedAt", ${enrichment} as enrichment, leads.match_count as "matchCount",
      leads.json_bytes as "jsonBytes", ${mistypedEmail} as "mistypedEmail"
    from (${chosen}) as leads
    left join lead_enrichments as enrichment on enrichment.shard = ${shard}
      and enrichment.workspace_id = leads.workspace_id and enrichment.submission_id = leads.submission_id
    left join lateral (${newestMark(shard)}) as mark on true
    left join lateral (${secondLook(shard)}) as look on true`;
}

/** The condition on the lead avoids a query for leads without a mark, which are nearly all. */
const newestMark = (shard: number) => sql`
  select mark, marked_at, marked_by from lead_marks m
  where leads.scored_verdict is not null
    and m.shard = ${shard} and m.workspace_id = leads.workspace_id and m.submission_id = leads.submission_id
  order by m.number desc limit 1`;

const lateReason = JSON.stringify([{ code: 'EMAIL_DISPOSABLE_MX' satisfies RuleCode }]);

/** A second look adds a reason. The condition avoids a query for leads without it, which are nearly all. */
const secondLook = (shard: number) => sql`
  select looked_at, provider, verdict_before, risk_before from lead_second_looks s
  where leads.reasons @> ${lateReason}::jsonb
    and s.shard = ${shard} and s.workspace_id = leads.workspace_id and s.submission_id = leads.submission_id`;

const mistypedEmail = sql`(
  select ${fieldsOf('leads')} ->> (reason ->> 'field') from jsonb_array_elements(leads.reasons) as reason
  where reason ->> 'code' = 'EMAIL_TYPO' and jsonb_typeof(${fieldsOf('leads')} -> (reason ->> 'field')) = 'string' limit 1
)`;

/**
 * The first leads, up to the one that exceeds `bytesMax` in total. The JSON size of a lead is known only once it is
 * converted, so the length of the body, which is known without reading it, limits how many are converted. The offset keeps
 * PostgreSQL from converting a lead once for each mention of its text.
 */
export function leadsWithinBytes(
  chosen: RawBuilder<unknown>,
  bytesMax: number,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const before = sql`${order} rows between unbounded preceding and 1 preceding`;
  const counted = sql`
    select *, count(*) over () as match_count,
      coalesce(sum(leads.body_bytes) over (${before}), 0) as body_bytes_before
    from (${chosen}) as leads`;
  const written = sql`
    select *, ${fieldsText}, octet_length(leads.reasons::text) as reasons_bytes
    from (${counted}) as leads where leads.body_bytes_before < ${bytesMax} offset 0`;
  const measured = sql`
    select *, octet_length(leads.fields_text) + leads.reasons_bytes as json_bytes,
      coalesce(sum(octet_length(leads.fields_text) + leads.reasons_bytes) over (${before}), 0) as json_bytes_before
    from (${written}) as leads`;
  return sql`select * from (${measured}) as leads where leads.json_bytes_before < ${bytesMax}`;
}
