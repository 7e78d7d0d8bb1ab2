import { sql } from 'kysely';
import type { LeadFacts } from '../../domain/destination/lead-facts.ts';
import { isEnriched } from '../enrichment/lead-enrichments.ts';
import { inShardOf, type LeadRef, listOf } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf } from '../sql.ts';

/** What the relay needs of every lead; the rest is only read for filters that ask for it. */
export interface NotedLead extends LeadRef {
  readonly formId: string;
  readonly receivedAt: Date;
  readonly surface: LeadFacts['surface'];
  readonly verdict: LeadFacts['verdict'];
  readonly score: number;
  readonly grade: LeadFacts['grade'];
  /** No provider has yet to respond. */
  readonly isEnriched: boolean;
  /** It was admitted without telling destinations of it. */
  readonly isKeptBack: boolean;
}

/** Leads that were erased are left out. */
export async function readNotedLeads(db: Queryable, leads: readonly LeadRef[]): Promise<NotedLead[]> {
  if (leads.length === 0) return [];
  return rowsOf(
    db,
    sql<NotedLead>`
      select l.shard, l.workspace_id as "workspaceId", l.submission_id as "submissionId", l.form_id as "formId",
        l.received_at as "receivedAt", l.surface, l.verdict, l.score, l.grade, ${isEnriched} as "isEnriched",
        r.is_delivered is not distinct from false as "isKeptBack"
      from ${listOf(leads)}
      join leads l using (shard, workspace_id, submission_id)
      left join lead_enrichments e on e.shard = l.shard and e.workspace_id = l.workspace_id
        and e.submission_id = l.submission_id and ${inShardOf(leads, 'e')}
      left join lead_recoveries r on r.shard = l.shard and r.workspace_id = l.workspace_id
        and r.submission_id = l.submission_id and ${inShardOf(leads, 'r')}
      where ${inShardOf(leads, 'l')}`,
  );
}
