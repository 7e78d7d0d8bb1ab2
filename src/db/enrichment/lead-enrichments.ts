import { sql } from 'kysely';
import type pg from 'pg';
import { contextField } from '../../domain/lead/attribution.ts';
import type { Verdict } from '../../domain/score/score.ts';
import { jsonbArray } from '../binary.ts';
import { fieldsOf } from '../leads/lead-content.ts';
import { arraysOf, inShardOf, type LeadRef, listOf } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { areLeads } from '../sharded.ts';
import { rowsOf, run } from '../sql.ts';
import type { StoredResult } from './enrichment-results.ts';

/** Deletes all enrichment data of leads. */
export async function deleteEnrichments(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<void> {
  await run(client, sql`delete from lead_enrichments where ${areLeads(workspaceId, submissionIds)}`);
  await run(client, sql`delete from enrichment_results where ${areLeads(workspaceId, submissionIds)}`);
}

export interface LeadToEnrich extends LeadRef {
  readonly verdict: Verdict;
  readonly fields: Record<string, unknown>;
  readonly results: readonly StoredResult[];
}

/**
 * The fields that enrichment reads: all of them, or only the first short texts of a large lead and what the SDK of web
 * pages says, to avoid parsing 14,000 fields for the few that matter. jsonb sorts the shortest keys first.
 */
export const fieldsToRead = sql`case when octet_length(l.body) <= 16384 then ${fieldsOf('l')} else (
    select coalesce(jsonb_object_agg(key, value), '{}')
    from (
      select key, value from jsonb_each(${fieldsOf('l')})
      where jsonb_typeof(value) = 'string' and length(key) <= 64 and length(value #>> '{}') <= 2048
        or key = ${contextField} and octet_length(value::text) <= 16384
      limit 300) as texts
  ) end`;

export async function readLeadsToEnrich(db: Queryable, leads: readonly LeadRef[]): Promise<LeadToEnrich[]> {
  return rowsOf(
    db,
    sql<LeadToEnrich>`
      select l.shard, l.workspace_id as "workspaceId", l.submission_id as "submissionId", l.verdict,
        ${fieldsToRead} as fields,
        array(
          select json_build_object('provider', r.provider, 'version', r.version, 'outcome', r.outcome, 'why', r.why,
            'fields', r.fields, 'attempts', r.attempts, 'durationMs', r.duration_ms, 'cached', r.cached,
            'observedAt', r.observed_at)
          from enrichment_results r
          where r.shard = l.shard and r.workspace_id = l.workspace_id and r.submission_id = l.submission_id
            and ${inShardOf(leads, 'r')}
          order by r.provider) as results
      from ${listOf(leads)}
      join leads l using (shard, workspace_id, submission_id)
      where ${inShardOf(leads, 'l')}`,
  );
}

/** True if a view (`e`) exists, and no provider in it has yet to respond. */
export const isEnriched = sql`coalesce(
  not e.data @? '$.providers[*] ? (@.outcome == "pending" || @.outcome == "retry")', false)`;

/**
 * Locks the merged views of these leads until the end of the transaction. A lead without a view cannot be locked and does
 * not need to be: no provider is asked about it before it has one. Returns the leads that are enriched.
 */
export async function lockEnrichments(client: pg.PoolClient, leads: readonly LeadRef[]): Promise<LeadRef[]> {
  const locked = await rowsOf(
    client,
    sql<LeadRef & { readonly isEnriched: boolean }>`
      select e.shard, e.workspace_id as "workspaceId", e.submission_id as "submissionId", ${isEnriched} as "isEnriched"
      from ${listOf(leads)}
      join lead_enrichments e using (shard, workspace_id, submission_id)
      where ${inShardOf(leads, 'e')}
      -- Always in the same order, so that two jobs cannot deadlock.
      order by e.shard, e.workspace_id, e.submission_id
      for update of e`,
  );
  return locked.filter((lead) => lead.isEnriched);
}

/** Replaces an earlier enrichment, since a job may run twice. Skips leads that were erased in the meantime. */
export async function storeEnrichments(
  db: Queryable,
  leads: readonly (LeadRef & { readonly data: object })[],
  enrichedAt: Date,
): Promise<void> {
  // In binary format: as text, every quote in every document would be escaped.
  const documents = jsonbArray(leads.map(({ data }) => Buffer.from(JSON.stringify(data))));
  await run(
    db,
    sql`
      insert into lead_enrichments (shard, workspace_id, submission_id, data, enriched_at)
      select l.shard, l.workspace_id, l.submission_id, i.data, ${enrichedAt}::timestamptz
      from unnest(${arraysOf(leads)}, ${documents}::jsonb[]) as i (shard, workspace_id, submission_id, data)
      join leads l using (shard, workspace_id, submission_id)
      where ${inShardOf(leads, 'l')}
      for key share of l
      on conflict (shard, workspace_id, submission_id)
      do update set data = excluded.data, enriched_at = excluded.enriched_at`,
  );
}
