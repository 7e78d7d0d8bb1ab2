import { sql } from 'kysely';
import { type Mark, verdictUnder } from '../../domain/lead/mark.ts';
import type { Verdict } from '../../domain/score/score.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Position } from '../keyset.ts';
import { build } from '../query-builder.ts';

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

/** A stretch of the list of leads: after a place in it, and back to a time. */
export interface Stretch {
  readonly after: Position | null;
  /** Leads received before this time are left out. */
  readonly notBefore?: Date | undefined;
}

/** What the index of the list decides by itself, so that leads that do not match cost next to nothing. */
export function leadsWithin(workspaceId: string, filter: LeadFilter, { after, notBefore }: Stretch) {
  let query = build
    .selectFrom('leads')
    .where('leads.shard', '=', shardOf(workspaceId))
    .where('leads.workspace_id', '=', workspaceId);
  if (filter.formId !== undefined) query = query.where('leads.form_id', '=', filter.formId);
  if (filter.verdict !== undefined) query = query.where('leads.verdict', '=', filter.verdict);
  if (filter.surface !== undefined) query = query.where('leads.surface', '=', filter.surface);
  if (filter.from !== undefined) query = query.where('leads.received_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('leads.received_at', '<', filter.to);
  if (notBefore !== undefined) query = query.where('leads.received_at', '>=', notBefore);
  if (after !== null) {
    query = query.where(
      sql<boolean>`(leads.received_at, leads.submission_id) < (${after.at}, ${after.id}::uuid)`,
    );
  }
  return query;
}

/** What has to be read in each lead. */
export function contentConditions(workspaceId: string, filter: LeadFilter) {
  return [
    ...(filter.mark === undefined ? [] : [hasMark(workspaceId, filter.mark)]),
    ...[...filter.fieldValues].map(([key, value]) => sql<boolean>`leads.fields ->> ${key}::text = ${value}`),
    ...(filter.text === undefined ? [] : anyValueContains(filter.text)),
  ];
}

/** The leads that a mark can be on are few, and the table of marks names them. */
export function isFoundByMark({ mark }: LeadFilter): boolean {
  return mark !== undefined && mark !== 'none';
}

/** Whether leads have to be read to know which of them match. */
export function readsEachLead(filter: LeadFilter): boolean {
  const { mark, text, fieldValues } = filter;
  return !isFoundByMark(filter) && (mark !== undefined || text !== undefined || fieldValues.size > 0);
}

/** Whether leads may have to be passed over to find those that match. */
export function passesOver(filter: LeadFilter): boolean {
  const { formId, verdict, surface, mark, text, fieldValues } = filter;
  return [formId, verdict, surface, mark, text].some((value) => value !== undefined) || fieldValues.size > 0;
}

/** A mark in force shows in the lead itself; the table of marks only leads to the few leads that can have one. */
function hasMark(workspaceId: string, mark: Mark | 'none') {
  if (mark === 'none') return sql<boolean>`leads.scored_verdict is null`;
  return sql<boolean>`leads.scored_verdict is not null and leads.verdict = ${verdictUnder(mark, 'suspect')}
    and leads.submission_id in (
      select submission_id from lead_marks where shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId}
    )`;
}

/**
 * Taking the document apart costs twice as much as writing it as text, so the text is looked at first. It holds each
 * value as it is inside a document, and those that are documents themselves as they are shown.
 */
function anyValueContains(text: string) {
  const inDocument = JSON.stringify(text).slice(1, -1);
  const somewhere = [...new Set([inDocument, text])].map(
    (part) => sql<boolean>`leads.fields::text ilike ${patternOf(part)}`,
  );
  return [
    sql<boolean>`(${sql.join(somewhere, sql` or `)})`,
    sql<boolean>`exists (
      select from jsonb_each_text(leads.fields) as field (key, value) where field.value ilike ${patternOf(text)}
    )`,
  ];
}

function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
