import { sql } from 'kysely';
import type { FormFacts, LeadFacts } from '../../domain/destination/lead-facts.ts';
import { type PackedReason, shownReasons, unpackReasons } from '../../domain/score/stored-reasons.ts';
import { isEnriched } from '../enrichment/lead-enrichments.ts';
import { fieldsOf } from '../leads/lead-content.ts';
import { inShardOf, type LeadRef, listOf } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

type LeadRow = Omit<LeadFacts, 'form' | 'reasons' | 'isTest'> & {
  readonly formId: string;
  readonly reasons: readonly PackedReason[];
};

/**
 * Everything that is sent of a lead. Leads that were erased are left out. A clean lead is enriched once no provider has yet
 * to respond; nothing is expected for any other.
 */
export async function readLeadFacts(db: Queryable, leads: readonly LeadRef[]): Promise<LeadFacts[]> {
  if (leads.length === 0) return [];
  const rows = await rowsOf(
    db,
    sql<LeadRow>`
      select l.workspace_id as "workspaceId", l.submission_id as "submissionId", l.form_id as "formId",
        l.received_at as "receivedAt", l.surface, l.verdict, l.score, l.grade, ${fieldsOf('l')}::text as fields,
        (e.data || jsonb_build_object('enriched_at', to_char(e.enriched_at at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text as enrichment,
        l.verdict <> 'clean' or ${isEnriched} as "isEnriched",
        l.reasons
      from ${listOf(leads)}
      join leads l using (shard, workspace_id, submission_id)
      left join lead_enrichments e on e.shard = l.shard and e.workspace_id = l.workspace_id
        and e.submission_id = l.submission_id and ${inShardOf(leads, 'e')}
      where ${inShardOf(leads, 'l')}`,
  );
  const forms = await readFormFacts(db, [...new Set(rows.map(({ formId }) => formId))]);
  return rows.map(({ reasons, ...lead }) => ({
    ...lead,
    form: forms.get(lead.formId) ?? null,
    reasons: JSON.stringify(shownReasons(unpackReasons(reasons)).reasons),
    isTest: false,
  }));
}

/** Forms that were deleted are left out. */
export async function readFormFacts(
  db: Queryable,
  formIds: readonly string[],
): Promise<ReadonlyMap<string, FormFacts>> {
  const forms = await rowsOf(
    db,
    sql<FormFacts>`select id, slug, name from forms where id = any (${formIds}::uuid[]) and deleted_at is null`,
  );
  return new Map(forms.map((form) => [form.id, form]));
}

export async function listNewestLeads(db: Queryable, workspaceId: string, limit: number): Promise<LeadRef[]> {
  return rowsOf(
    db,
    sql<LeadRef>`select shard, workspace_id as "workspaceId", submission_id as "submissionId" from leads
      where ${inWorkspace(workspaceId)} order by received_at desc, submission_id desc limit ${limit}`,
  );
}
