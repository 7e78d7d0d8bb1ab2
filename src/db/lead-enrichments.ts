import type pg from 'pg';
import { shardOf } from '../domain/workspace.ts';

export async function deleteLeadEnrichment(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  await client.query(
    'delete from lead_enrichments where shard = $1 and workspace_id = $2 and submission_id = $3',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
}

export interface LeadRef {
  readonly shard: number;
  readonly workspaceId: string;
  readonly submissionId: string;
}

export interface LeadToEnrich extends LeadRef {
  readonly fields: Record<string, unknown>;
}

export async function readLeadsToEnrich(pool: pg.Pool, leads: readonly LeadRef[]): Promise<LeadToEnrich[]> {
  const { rows } = await pool.query(
    `select shard, l.workspace_id as "workspaceId", l.submission_id as "submissionId", l.fields
     from unnest($1::smallint[], $2::uuid[], $3::uuid[]) as i (shard, workspace_id, submission_id)
     join leads l using (shard, workspace_id, submission_id)`,
    columnsOf(leads),
  );
  return rows;
}

/** A lead erased meanwhile gets no enrichment; one enriched before, because a job ran twice, gets it again. */
export async function storeEnrichments(
  pool: pg.Pool,
  leads: readonly (LeadRef & { readonly data: object })[],
  enrichedAt: Date,
): Promise<void> {
  await pool.query(
    `insert into lead_enrichments (shard, workspace_id, submission_id, data, enriched_at)
     select shard, workspace_id, submission_id, i.data, $5
     from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::jsonb[]) as i (shard, workspace_id, submission_id, data)
     join leads using (shard, workspace_id, submission_id)
     for key share of leads
     on conflict (shard, workspace_id, submission_id)
     do update set data = excluded.data, enriched_at = excluded.enriched_at`,
    [...columnsOf(leads), leads.map(({ data }) => JSON.stringify(data)), enrichedAt],
  );
}

function columnsOf(leads: readonly LeadRef[]) {
  return [
    leads.map(({ shard }) => shard),
    leads.map(({ workspaceId }) => workspaceId),
    leads.map(({ submissionId }) => submissionId),
  ];
}
