import { type RawBuilder, sql } from 'kysely';
import { type Mark, verdictUnder } from '../../domain/lead/mark.ts';
import type { Verdict } from '../../domain/score/score.ts';
import type { Surface } from '../../domain/surface.ts';
import type { Position } from '../keyset.ts';
import { inWorkspace } from '../sharded.ts';
import { contentFields, withContent } from './lead-content.ts';
import { isAfter } from './lead-order.ts';
import { escaped, isInIndex, isMet, isOfField, type LeadCondition } from './lead-where.ts';

export interface LeadFilter {
  /** Only these, at most a thousand. */
  readonly ids?: readonly string[] | undefined;
  readonly formId?: string | undefined;
  readonly verdict?: Verdict | undefined;
  readonly mark?: Mark | 'none' | undefined;
  readonly surface?: Surface | undefined;
  /** Received at this time or later. */
  readonly from?: Date | undefined;
  /** Received before this time. */
  readonly to?: Date | undefined;
  /** Contained in the value of any field, ignoring case. */
  readonly text?: string | undefined;
  readonly fieldValues: ReadonlyMap<string, string>;
  /** All must be met. */
  readonly where?: readonly LeadCondition[] | undefined;
}

/** A stretch of the list of leads by time: after a position, and as far as a time. */
export interface Stretch {
  readonly after: Position | null;
  /** Leads received before this time, or from this time on in a list with the oldest first, are left out. */
  readonly until?: Date | undefined;
  readonly isOldestFirst?: boolean | undefined;
}

/** Conditions that an index can check, so that leads that do not match cost next to nothing. */
export function stretchConditions(
  workspaceId: string,
  filter: LeadFilter,
  { after, until, isOldestFirst = false }: Stretch,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [inWorkspace(workspaceId)];
  if (filter.ids !== undefined) conditions.push(sql`submission_id = any (${filter.ids}::uuid[])`);
  if (filter.formId !== undefined) conditions.push(sql`form_id = ${filter.formId}`);
  if (filter.verdict !== undefined) conditions.push(sql`verdict = ${filter.verdict}`);
  if (filter.surface !== undefined) conditions.push(sql`surface = ${filter.surface}`);
  const end = isOldestFirst ? filter.to : filter.from;
  if (end !== undefined)
    conditions.push(isOldestFirst ? sql`received_at < ${end}` : sql`received_at >= ${end}`);
  if (until !== undefined)
    conditions.push(isOldestFirst ? sql`received_at < ${until}` : sql`received_at >= ${until}`);
  conditions.push(...beginConditions(filter, after, isOldestFirst));
  conditions.push(...(filter.where ?? []).filter(isInIndex).map(isMet));
  return conditions;
}

/**
 * Where a stretch begins: at a time of the filter or after a place, whichever comes later in the list. With a condition on both,
 * PostgreSQL begins at the time and passes over all leads before the place, more of them with each page.
 */
function beginConditions(
  { from, to }: LeadFilter,
  after: Position | null,
  isOldestFirst: boolean,
): RawBuilder<unknown>[] {
  const time = isOldestFirst ? from : to;
  const place = after === null ? [] : [isAfter(isOldestFirst, after)];
  if (time === undefined) return place;
  const isAtTime = isOldestFirst ? sql`received_at >= ${time}` : sql`received_at < ${time}`;
  if (after === null) return [isAtTime];
  const isPlaceLater = isOldestFirst ? after.at >= time : after.at < time;
  return isPlaceLater ? place : [isAtTime, ...place];
}

/** Conditions that require reading each lead. The leads must be those of `readable`. */
export function contentConditions(workspaceId: string, filter: LeadFilter): RawBuilder<unknown>[] {
  return [
    ...(filter.mark === undefined ? [] : [hasMark(workspaceId, filter.mark)]),
    ...[...filter.fieldValues].map(([key, value]) => sql`${contentFields} ->> ${key}::text = ${value}`),
    ...(filter.text === undefined ? [] : anyValueContains(filter.text)),
    ...(filter.where ?? []).filter((condition) => !isInIndex(condition)).map(isMet),
  ];
}

/** Few leads are marked, and the table of marks lists them. */
export function isFoundByMark({ mark }: LeadFilter): boolean {
  return mark !== undefined && mark !== 'none';
}

/** Whether leads must be read to know which of them match. */
export function readsEachLead(filter: LeadFilter): boolean {
  const { mark, text, fieldValues, where = [] } = filter;
  const isRead = mark !== undefined || text !== undefined || fieldValues.size > 0;
  return !isFoundByMark(filter) && (isRead || where.some((condition) => !isInIndex(condition)));
}

/** The leads of a table or subquery of this name, with their fields if one of these conditions or `isRead` needs them. */
export function readable(
  leads: RawBuilder<unknown>,
  { text, fieldValues, where = [] }: LeadFilter,
  isRead = false,
): RawBuilder<unknown> {
  return isRead || where.some(isOfField) || text !== undefined || fieldValues.size > 0
    ? sql`${leads} ${withContent}`
    : leads;
}

/** Whether some leads may have to be skipped to find those that match. */
export function passesOver(filter: LeadFilter): boolean {
  const { formId, verdict, surface, mark, text, fieldValues, where = [] } = filter;
  const isGiven = [formId, verdict, surface, mark, text].some((value) => value !== undefined);
  return isGiven || fieldValues.size > 0 || where.length > 0;
}

/** The lead itself shows whether a mark is in effect; the table of marks only narrows the search. */
function hasMark(workspaceId: string, mark: Mark | 'none'): RawBuilder<unknown> {
  if (mark === 'none') return sql`scored_verdict is null`;
  return sql`scored_verdict is not null and verdict = ${verdictUnder(mark, 'suspect')}
    and submission_id in (select submission_id from lead_marks where ${inWorkspace(workspaceId)})`;
}

/**
 * Splitting the document into fields costs twice as much as converting it to text, so the whole text is searched first. In
 * it, strings are escaped as in JSON, but nested documents look the same as when they are shown, hence both patterns.
 */
function anyValueContains(text: string): RawBuilder<unknown>[] {
  const inDocument = JSON.stringify(text).slice(1, -1);
  const somewhere = [...new Set([inDocument, text])].map(
    (part) => sql`${contentFields}::text ilike ${patternOf(part)}`,
  );
  return [
    sql`(${sql.join(somewhere, sql` or `)})`,
    sql`exists (
      select from jsonb_each_text(${contentFields}) as field (key, value) where field.value ilike ${patternOf(text)}
    )`,
  ];
}

function patternOf(text: string): string {
  return `%${escaped(text)}%`;
}
