import { sql } from 'kysely';
import type { Rhythm } from '../../domain/alarm/silence/rhythm.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, insertRows, rowsOf, run } from '../sql.ts';

/** Stands for all tokens and surfaces of a form together. */
export const wholeForm = '00000000-0000-0000-0000-000000000000';

/** When a source usually sends: a form, or one of its tokens. */
export interface SourceRhythm extends Rhythm {
  readonly workspaceId: string;
  readonly formId: string;
  /** Null for the whole form. */
  readonly tokenId: string | null;
  readonly zone: string;
  readonly expected: readonly number[];
  readonly lastAcceptedAt: Date;
  /** Of the leads of the last four weeks whose verdict was counted. */
  readonly scoredLeads: number;
  readonly spamLeads: number;
  readonly computedAt: Date;
}

// As JSON, because the client takes ten times as long to parse an array.
const columns = sql`workspace_id as "workspaceId", form_id as "formId", nullif(token_id, ${wholeForm}) as "tokenId", zone,
  to_json(expected) as expected, longest_gap as "longestGap", weeks, leads, coalesce(last_accepted_at, computed_at) as "lastAcceptedAt",
  scored_leads as "scoredLeads", spam_leads as "spamLeads", computed_at as "computedAt"`;

/** Of the shards of one node, those that were computed later than that. */
export async function listRhythms(
  db: Queryable,
  shards: readonly number[],
  computedAfter: Date,
): Promise<SourceRhythm[]> {
  return rowsOf(
    db,
    sql<SourceRhythm>`select ${columns} from source_rhythms
      where shard = any (${shards}::smallint[]) and computed_at > ${computedAfter}`,
  );
}

export async function findRhythmOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<SourceRhythm | null> {
  return firstRow(
    db,
    sql<SourceRhythm>`select ${columns} from source_rhythms
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and token_id = ${wholeForm}`,
  );
}

/** When the rhythms of a workspace were last computed, and in which zone. */
export interface LearntWorkspace {
  readonly workspaceId: string;
  readonly zone: string;
  readonly computedAt: Date;
}

export async function listLearntWorkspaces(db: Queryable, shard: number): Promise<LearntWorkspace[]> {
  return rowsOf(
    db,
    sql<LearntWorkspace>`
      select distinct on (workspace_id) workspace_id as "workspaceId", zone, computed_at as "computedAt"
      from source_rhythms where shard = ${shard} order by workspace_id, computed_at desc`,
  );
}

/** All of one workspace, so that the statement runs on one node. */
export async function saveRhythms(
  db: Queryable,
  workspaceId: string,
  rhythms: readonly SourceRhythm[],
): Promise<void> {
  await insertRows(
    db,
    `source_rhythms as r (shard, workspace_id, form_id, token_id, zone, expected, longest_gap, weeks, leads,
      last_accepted_at, scored_leads, spam_leads, computed_at)`,
    rhythms.map((rhythm) => [
      ...[shardOf(workspaceId), workspaceId, rhythm.formId, rhythm.tokenId ?? wholeForm, rhythm.zone],
      ...[[...rhythm.expected], rhythm.longestGap, rhythm.weeks, rhythm.leads, rhythm.lastAcceptedAt],
      ...[rhythm.scoredLeads, rhythm.spamLeads, rhythm.computedAt],
    ]),
    `on conflict (shard, workspace_id, form_id, token_id) do update set zone = excluded.zone,
      expected = excluded.expected, longest_gap = excluded.longest_gap, weeks = excluded.weeks, leads = excluded.leads,
      last_accepted_at = excluded.last_accepted_at, scored_leads = excluded.scored_leads,
      spam_leads = excluded.spam_leads, computed_at = excluded.computed_at`,
  );
}

/** Of sources without a lead since then. */
export async function deleteOldRhythms(db: Queryable, shard: number, before: Date): Promise<void> {
  await run(db, sql`delete from source_rhythms where shard = ${shard} and last_accepted_at < ${before}`);
}
