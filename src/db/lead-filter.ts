import { sql } from 'kysely';
import { type Mark, verdictUnder } from '../domain/mark.ts';
import type { Verdict } from '../domain/score/score.ts';
import type { Surface } from '../domain/surface.ts';
import { shardOf } from '../domain/workspace.ts';
import { build } from './query-builder.ts';

export interface LeadFilter {
  readonly formId?: string | undefined;
  readonly verdict?: Verdict | undefined;
  readonly mark?: Mark | 'none' | undefined;
  readonly surface?: Surface | undefined;
  /** Received at this time or later. */
  readonly from?: Date | undefined;
  /** Received before this time. */
  readonly to?: Date | undefined;
  /** Contained in the value of any field, in upper or lower case. */
  readonly text?: string | undefined;
  readonly fieldValues: ReadonlyMap<string, string>;
}

export function filteredLeads(workspaceId: string, filter: LeadFilter) {
  let query = build
    .selectFrom('leads')
    .where('leads.shard', '=', shardOf(workspaceId))
    .where('leads.workspace_id', '=', workspaceId);
  if (filter.formId !== undefined) query = query.where('leads.form_id', '=', filter.formId);
  if (filter.verdict !== undefined) query = query.where('leads.verdict', '=', filter.verdict);
  if (filter.mark !== undefined) query = query.where(hasMark(workspaceId, filter.mark));
  if (filter.surface !== undefined) query = query.where('leads.surface', '=', filter.surface);
  if (filter.from !== undefined) query = query.where('leads.received_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('leads.received_at', '<', filter.to);
  if (filter.text !== undefined) query = query.where(anyValueContains(filter.text));
  for (const [key, value] of filter.fieldValues) {
    query = query.where(sql<boolean>`leads.fields ->> ${key}::text = ${value}`);
  }
  return query;
}

/** A mark in force shows in the lead itself; the table of marks only leads to the few leads that can have one. */
function hasMark(workspaceId: string, mark: Mark | 'none') {
  if (mark === 'none') return sql<boolean>`leads.scored_verdict is null`;
  return sql<boolean>`leads.scored_verdict is not null and leads.verdict = ${verdictUnder(mark, 'suspect')}
    and leads.submission_id in (
      select submission_id from lead_marks where shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId}
    )`;
}

function anyValueContains(text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`exists (
    select from jsonb_each_text(leads.fields) as field (key, value) where field.value ilike ${pattern}
  )`;
}
