import { type RawBuilder, sql } from 'kysely';
import { type Mark, verdictUnder } from '../../domain/lead/mark.ts';
import type { Verdict } from '../../domain/score/score.ts';
import type { Surface } from '../../domain/surface.ts';
import { comesAfter, type Position } from '../keyset.ts';
import { inWorkspace } from '../sharded.ts';

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
export function stretchConditions(
  workspaceId: string,
  filter: LeadFilter,
  { after, notBefore }: Stretch,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [inWorkspace(workspaceId)];
  if (filter.formId !== undefined) conditions.push(sql`form_id = ${filter.formId}`);
  if (filter.verdict !== undefined) conditions.push(sql`verdict = ${filter.verdict}`);
  if (filter.surface !== undefined) conditions.push(sql`surface = ${filter.surface}`);
  if (filter.from !== undefined) conditions.push(sql`received_at >= ${filter.from}`);
  if (filter.to !== undefined) conditions.push(sql`received_at < ${filter.to}`);
  if (notBefore !== undefined) conditions.push(sql`received_at >= ${notBefore}`);
  if (after !== null) conditions.push(comesAfter(after, 'received_at', 'submission_id'));
  return conditions;
}

/** What has to be read in each lead. */
export function contentConditions(workspaceId: string, filter: LeadFilter): RawBuilder<unknown>[] {
  return [
    ...(filter.mark === undefined ? [] : [hasMark(workspaceId, filter.mark)]),
    ...[...filter.fieldValues].map(([key, value]) => sql`fields ->> ${key}::text = ${value}`),
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
function hasMark(workspaceId: string, mark: Mark | 'none'): RawBuilder<unknown> {
  if (mark === 'none') return sql`scored_verdict is null`;
  return sql`scored_verdict is not null and verdict = ${verdictUnder(mark, 'suspect')}
    and submission_id in (select submission_id from lead_marks where ${inWorkspace(workspaceId)})`;
}

/**
 * Taking the document apart costs twice as much as writing it as text, so the text is looked at first. It holds each
 * value as it is inside a document, and those that are documents themselves as they are shown.
 */
function anyValueContains(text: string): RawBuilder<unknown>[] {
  const inDocument = JSON.stringify(text).slice(1, -1);
  const somewhere = [...new Set([inDocument, text])].map(
    (part) => sql`fields::text ilike ${patternOf(part)}`,
  );
  return [
    sql`(${sql.join(somewhere, sql` or `)})`,
    sql`exists (
      select from jsonb_each_text(fields) as field (key, value) where field.value ilike ${patternOf(text)}
    )`,
  ];
}

function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
