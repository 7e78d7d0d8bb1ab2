import { sql } from 'kysely';
import type pg from 'pg';
import { inShardOf, type LeadRef } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { isLead } from '../sharded.ts';
import { rowsOf, run } from '../sql.ts';

/** The latest result of a provider for a lead. */
export interface StoredResult {
  readonly provider: string;
  readonly version: number;
  readonly outcome: 'found' | 'none' | 'skip' | 'retry' | 'fail';
  readonly why: string | null;
  readonly fields: readonly unknown[];
  readonly attempts: number;
  readonly durationMs: number;
  readonly cached: boolean;
  readonly observedAt: string;
}

/** Replaces earlier results. Skips leads that were erased in the meantime. */
export async function storeResults(
  client: pg.PoolClient,
  results: readonly (LeadRef & StoredResult)[],
): Promise<void> {
  const column = <K extends keyof (LeadRef & StoredResult)>(key: K) => results.map((result) => result[key]);
  const fields = results.map((result) => JSON.stringify(result.fields));
  await run(
    client,
    sql`
      insert into enrichment_results (shard, workspace_id, submission_id, provider, version, outcome, why, fields,
        attempts, duration_ms, cached, observed_at)
      select l.shard, l.workspace_id, l.submission_id, provider, version, outcome, why, i.fields, attempts,
        duration_ms, cached, observed_at
      from unnest(${column('shard')}::smallint[], ${column('workspaceId')}::uuid[], ${column('submissionId')}::uuid[],
        ${column('provider')}::text[], ${column('version')}::integer[], ${column('outcome')}::text[],
        ${column('why')}::text[], ${fields}::jsonb[], ${column('attempts')}::smallint[],
        ${column('durationMs')}::integer[], ${column('cached')}::boolean[], ${column('observedAt')}::timestamptz[])
        as i (shard, workspace_id, submission_id, provider, version, outcome, why, fields, attempts, duration_ms,
          cached, observed_at)
      join leads l using (shard, workspace_id, submission_id)
      where ${inShardOf(results, 'l')}
      -- Always in the same order, so that two jobs cannot deadlock.
      order by l.shard, l.workspace_id, l.submission_id, provider
      for key share of l
      on conflict (shard, workspace_id, submission_id, provider) do update set
        version = excluded.version, outcome = excluded.outcome, why = excluded.why, fields = excluded.fields,
        attempts = excluded.attempts, duration_ms = excluded.duration_ms, cached = excluded.cached,
        observed_at = excluded.observed_at`,
  );
}

interface ListedResult
  extends Pick<StoredResult, 'provider' | 'outcome' | 'why' | 'attempts' | 'durationMs' | 'cached'> {
  readonly observedAt: Date;
}

/** The results for a lead so far, in the order of the answers. */
export async function listResults(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<ListedResult[]> {
  return rowsOf(
    db,
    sql<ListedResult>`
      select provider, outcome, why, attempts, duration_ms as "durationMs", cached, observed_at as "observedAt"
      from enrichment_results where ${isLead(workspaceId, submissionId)}
      order by observed_at, provider`,
  );
}
